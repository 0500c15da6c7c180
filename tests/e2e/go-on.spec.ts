import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

test('a step is edited, written anew and looked into from the inspector', async ({
  page,
  expectAccessible,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 2, seed: 1, answer: '30' });
  await playground.run();
  await playground.stepsOf(0).nth(1).click();

  await page.getByRole('button', { name: /^Token probabilities/ }).click();
  const tokens = page.getByRole('group', { name: /^Tokens of the step/ }).getByRole('button');
  await expect(tokens.first()).toHaveAttribute('aria-label', /, [<>]?\d+(\.\d)?%$/);
  await tokens.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(tokens.nth(1)).toBeFocused();
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Edit and rescore/ }).click();
  await page.getByLabel('Steps from here on, one a line').fill('Left: 42-12=31\nAnswer: 31');
  await page.getByRole('button', { name: 'Rescore in a new lane' }).click();
  await expect(playground.lanes).toHaveCount(3);
  await expect(playground.lanes.nth(2)).toContainText('from lane 1, step 2');
  await expect.poll(() => playground.stepNames(2)).toHaveLength(3);
  expect((await playground.stepNames(2)).at(-1)).toMatch(/Answer: 31\. Reward [<>]?\d\.\d+\./);

  await playground.stepsOf(0).nth(1).click();
  await page.getByRole('button', { name: /^Resample from here/ }).click();
  await expect(playground.lanes).toHaveCount(4);
  await expect(page.getByRole('complementary')).toContainText(/^Lane 4/);
  expect((await playground.stepNames(3))[0]).toContain(
    (await playground.stepNames(0))[0]?.split(': ')[1] ?? '',
  );
});

test('a run goes on with more lanes, and where it was cancelled', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 2, seed: 1 });
  await playground.run();
  const before = await playground.stepNames(0);
  await page.getByRole('button', { name: 'Add 2 lanes' }).click();
  await expect(playground.lanes).toHaveCount(4);
  await expect(playground.runButton).toBeVisible();
  expect(await playground.stepNames(0)).toEqual(before);

  await playground.type(TYPED, { n: 16, seed: 4 });
  await playground.runButton.click();
  await expect(playground.lanes).toHaveCount(16);
  await expect(page.locator('[data-step]').first()).toBeVisible();
  await page.keyboard.press('Escape');
  const more = page.getByRole('button', { name: 'Continue' });
  await more.click();
  await expect(more).toHaveCount(0);
  await expect(playground.runButton).toBeVisible();
  await expect(page.getByText('cancelled before an answer')).toHaveCount(0);
});
