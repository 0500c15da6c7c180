import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

test('the tour leads through recorded runs by keyboard, and gives the form and the run back', async ({
  page,
  expectAccessible,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await expect(playground.lanes).toHaveCount(16);
  const first = await playground.problem.inputValue();

  await page.getByRole('link', { name: 'Take the tour' }).click();
  const tour = page.getByRole('dialog', { name: 'One problem, many solutions' });
  await expect(tour).toContainText(/wrote 16 solutions/);
  await expect(tour.getByRole('heading')).toBeFocused();
  await expect(page.locator('.ring')).toBeInViewport();
  await expectAccessible(page);

  const titles: string[] = [];
  for (let stop = 2; stop <= 6; stop++) {
    await page.keyboard.press('ArrowRight');
    const panel = page.getByRole('dialog');
    await expect(panel).toContainText(`Tour, ${stop} of 6`);
    await expect(panel.getByRole('heading')).toBeFocused();
    titles.push(await panel.getByRole('heading').innerText());
    // Numbers of the run on the screen, and something that is lit.
    await expect(panel.locator('#tour-text')).toContainText(/\d/);
    await expect(page.locator('.ring')).toBeInViewport();
    expect(new URL(page.url()).hash).toBe(`#tour=${stop}`);
  }
  expect(new Set(titles).size).toBe(5);

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(playground.problem).toHaveValue(first);
  expect(new URL(page.url()).hash).toBe('');
});

test('a link opens the tour at its stop, on a phone, too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('./#tour=3');
  const tour = page.getByRole('dialog', { name: 'The product is the score' });
  await expect(tour).toContainText(/×.* = /);
  await tour.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('dialog', { name: 'Judging only the outcome' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a run that was made before comes back after the tour; starting one ends it', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 2, seed: 3, answer: '30' });
  await playground.run();
  await page.getByRole('link', { name: 'Take the tour' }).click();
  await expect(page.locator('.ring')).toBeVisible();
  await expect(playground.lanes).toHaveCount(16);
  await page.keyboard.press('Escape');
  await expect(playground.lanes).toHaveCount(2);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(playground.problem).toHaveValue(TYPED);

  await page.getByRole('link', { name: 'Take the tour' }).click();
  await expect(page.locator('.ring')).toBeVisible();
  await playground.run();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});
