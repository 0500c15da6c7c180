import { expect, test } from './fixtures.ts';
import { PlaygroundPage } from './playground.ts';

test('lanes and bins of the charts are reached by keyboard, and stand in tables', async ({
  page,
  expectAccessible,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await page.locator('.charts').scrollIntoViewIfNeeded();
  const scatter = page.getByRole('group', { name: /^Score against number of steps/ });
  await expect(scatter.getByRole('button')).not.toHaveCount(0);
  await scatter.getByRole('button').first().focus();
  await page.keyboard.press('ArrowRight');
  const lane = scatter.locator('[role="button"]:focus');
  await expect(lane).toHaveAttribute(
    'aria-label',
    /^Lane \d+: \d+ steps, product .*, answer .*, (right|wrong)$/,
  );
  const name = (await lane.getAttribute('aria-label')) ?? '';
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText(/^Lane \d+/.exec(name)?.[0] ?? '');
  await page.keyboard.press('Escape');

  const reliability = page.getByRole('group', { name: /^Reliability of the Product/ });
  await expect(reliability.getByRole('img').first()).toHaveAttribute(
    'aria-label',
    /solutions, mean .*% right/,
  );
  await page.getByRole('group', { name: 'Score', exact: true }).getByRole('button', { name: 'ORM' }).click();
  await expect(page.getByRole('group', { name: /^Reliability of the ORM score/ })).toBeVisible();
  for (const summary of await page.getByText('The numbers as a table').all()) await summary.click();
  await expect(
    page.getByRole('region', { name: 'Reliability, as a table' }).getByRole('row'),
  ).not.toHaveCount(1);
  await expectAccessible(page);
});
