import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { PlaygroundPage } from './playground.ts';

/** Screens that differ; each is reached from the page as it opens, and left again. */
const SCREENS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'first paint, charts and all': async (page) => {
    await page.getByRole('heading', { name: 'Accuracy against N' }).scrollIntoViewIfNeeded();
    await expect(page.getByRole('heading', { name: 'Are the scores reliable?' })).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Accuracy against N' })).toBeVisible();
  },
  inspector: async (page) => {
    await page.locator('[data-lane="1"][data-step="0"]').click();
    await page.getByText('What the PRM read').click();
    await expect(page.getByRole('complementary')).toBeVisible();
  },
  rows: async (page) => {
    await page.getByRole('button', { name: 'Rows' }).click();
    await expect(page.locator('.lanes.rows')).toBeVisible();
  },
  keys: async (page) => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  },
};

for (const [scheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test(`no violation on any screen, ${scheme}, ${width} px, without motion`, async ({
    page,
    expectAccessible,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    const playground = new PlaygroundPage(page);
    await playground.open();
    await expect(playground.lanes).toHaveCount(16);
    for (const [name, reach] of Object.entries(SCREENS)) {
      await test.step(name, async () => {
        await reach(page);
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), 'no sideways scrolling').toBe(
          width,
        );
        await page.keyboard.press('Escape');
      });
    }
    // Dialogs have a theme of their own to be wrong in.
    await page.getByRole('button', { name: 'Open data' }).click();
    await expect(page.getByRole('dialog', { name: 'Open data' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Take the tour' }).click();
    await expect(page.locator('.ring')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.locator('.stage').focus();
    await page.keyboard.press('p');
    const presenter = page.getByRole('dialog', { name: 'Presenter mode' });
    await expect(presenter).toBeVisible();
    await page.keyboard.press('End');
    await expect(presenter.getByRole('table')).toBeVisible();
    await expectAccessible(page);
    const moving = await page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    );
    expect(moving, 'animations under reduced motion').toBe(0);
  });
}
