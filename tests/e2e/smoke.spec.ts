import { expect, test } from './fixtures.ts';

test('the built page loads, and is accessible', async ({ page, expectAccessible }) => {
  await page.goto('./');
  await expect(page).toHaveTitle(/Steplight/);
  await expect(page.getByRole('main')).toBeVisible();
  await expectAccessible(page);
});
