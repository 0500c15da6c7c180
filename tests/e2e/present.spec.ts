import { expect, test } from './fixtures.ts';
import { PlaygroundPage } from './playground.ts';

test('presenter mode reveals a run step by step, in large type, and needs no colour', async ({
  page,
  expectAccessible,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const playground = new PlaygroundPage(page);
  await playground.open();
  await expect(playground.lanes).toHaveCount(16);
  await page.keyboard.press('p');
  const presenter = page.getByRole('dialog', { name: 'Presenter mode' });
  await expect(presenter.getByText(/^16 solutions, \d+ answers/)).toBeVisible();
  await expect(presenter.getByRole('listitem')).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(presenter.getByRole('listitem')).toHaveCount(2);
  await expect(presenter.getByRole('status')).toHaveText(/Lane \d+, step 1: .*, reward [<>]?\d\.\d+/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(presenter.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('End');
  await expect(presenter.getByRole('row', { name: /^Majority vote \d+/ })).toBeVisible();
  await expectAccessible(page);
  const smallest = await presenter.evaluate((dialog) => {
    const sizes = [...dialog.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && element.closest('.visually-hidden') === null)
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
      )
      .map((element) => parseFloat(getComputedStyle(element).fontSize));
    return Math.min(...sizes);
  });
  expect(smallest).toBeGreaterThanOrEqual(24);
  await page.keyboard.press('Escape');
  await expect(presenter).toHaveCount(0);
});

test('on paper every step has its text and its reward, whatever the view', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await page.getByRole('button', { name: 'Rows' }).click();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('textbox', { name: 'Problem', exact: true })).toBeHidden();
  const steps = page.locator('[data-lane][data-step]');
  await expect(page.locator('.lanes.cards')).toBeVisible();
  for (const step of (await steps.allInnerTexts()).slice(0, 12)) expect(step).toMatch(/[<>]?\d\.\d+/);
  await page.emulateMedia({ media: 'screen' });
  await expect(page.locator('.lanes.rows')).toBeVisible();
});
