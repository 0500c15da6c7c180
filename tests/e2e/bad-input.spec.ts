import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

for (const bad of ['0', '65', '1.5', '', 'eight', '-3', '1e1', 'NaN']) {
  test(`N of "${bad}" is said at the field and starts nothing`, async ({ page }) => {
    const playground = new PlaygroundPage(page);
    await playground.open();
    await playground.type(TYPED, { seed: 31 });
    const n = playground.field('Solutions (N)');
    await n.fill(bad);
    await expect(n).toHaveAttribute('aria-invalid', 'true');
    await expect(n).toHaveAccessibleDescription(/N must be a whole number from 1 to 64/);
    await playground.runButton.click();
    await expect(n).toBeFocused();
    // What was typed is kept, right or wrong.
    await expect(n).toHaveValue(bad);
    await expect(playground.problem).toHaveValue(TYPED);
    await expect(playground.field('Seed')).toHaveValue('31');
    expect(await playground.countOf('started')).toBe(0);
    await expect(playground.cancelButton).toHaveCount(0);
    // Mended, the field is content.
    await n.fill('4');
    await expect(n).toHaveAttribute('aria-invalid', 'false');
  });
}

test('other numbers out of range are said at their field', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  for (const [label, bad, message] of [
    ['Temperature', '2.1', /Temperature must be a number from 0 to 2/],
    ['Seed', '4294967296', /Seed must be a whole number from 0 to 4294967295/],
    ['Seed', '-1', /Seed must be a whole number/],
  ] as const) {
    const field = playground.field(label);
    const before = await field.inputValue();
    await field.fill(bad);
    await expect(field).toHaveAccessibleDescription(message);
    await field.fill(before);
    await expect(field).toHaveAttribute('aria-invalid', 'false');
  }
});

for (const [what, text] of [
  ['empty', ''],
  ['blank', ' \n\t '],
] as const) {
  test(`an ${what} problem is asked for`, async ({ page }) => {
    const playground = new PlaygroundPage(page);
    await playground.open();
    await playground.problem.fill(text);
    await playground.runButton.click();
    await expect(playground.problem).toBeFocused();
    await expect(playground.problem).toHaveAccessibleDescription(/Type a maths problem first/);
    expect(await playground.countOf('started')).toBe(0);
  });
}

test('a problem over the limit is refused with its length, and kept', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  for (const length of [2_001, 10_000]) {
    const text = 'What is 1+1? '.repeat(1_000).slice(0, length - 1) + '?';
    await playground.problem.fill(text);
    await playground.runButton.click();
    await expect(playground.problem).toHaveAccessibleDescription(
      new RegExp(`has ${length.toLocaleString('en')} characters; at most 2,000`),
    );
    await expect(playground.problem).toHaveValue(text);
    expect(await playground.countOf('started')).toBe(0);
  }
});

test('a problem that fills the context is refused with its tokens, and the page goes on', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  const text = 'xq7 '.repeat(499);
  await playground.type(text, { n: 2 });
  const run = await playground.run();
  expect(run.status).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/\d+ tokens.*Shorten it/),
  });
  await expect(playground.fault).toContainText('Shorten it');
  await expect(playground.problem).toHaveValue(text);
  await playground.type(TYPED, { n: 2 });
  expect((await playground.run()).status.kind).toBe('complete');
  await expect(playground.fault).toHaveCount(0);
});

const unusual: Readonly<Record<string, string>> = {
  emoji: '🍎🍎🍎 and 🍊🍊: how many fruits? 👩‍👩‍👧‍👦 ✅',
  'right-to-left': 'لدى سارة ٤ صناديق في كل منها ١٢ قلما. كم قلما لديها؟ כמה?',
  HTML: `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script> 3 + 4 = <b>?</b>`,
  LaTeX: String.raw`What is $\frac{1}{2} + \sqrt{9}$? \[ \sum_{i=1}^{3} i \] \href{javascript:document.title='owned'}{x}`,
  'broken LaTeX': String.raw`$\frac{1}{ $$ \left( \begin{matrix} $ \def\a{\a\a}\a $ {{{`,
  'line breaks': 'Line one has 3.\n\nLine two has 4.\r\nHow many together?',
  'odd characters': '\u202e3 + 4\u202c \u0000\u200b\ufeff \ud83d = ?',
};

for (const [what, text] of Object.entries(unusual)) {
  test(`a problem with ${what} runs and is shown as text`, async ({ page }) => {
    page.on('dialog', (dialog) => {
      throw new Error(`A dialog opened: ${dialog.message()}`);
    });
    const playground = new PlaygroundPage(page);
    await playground.open();
    await playground.type(text, { n: 2 });
    await playground.setAdvanced('Max tokens', 24);
    const typed = await playground.problem.inputValue();
    const run = await playground.run();
    expect(run.status.kind).toBe('complete');
    expect(run.problem.text).toBe(typed.trim());
    await expect(playground.lanes).toHaveCount(2);
    await expect(playground.problem).toHaveValue(typed);
    await expect(page).toHaveTitle(/Steplight/);
    await expect(page.locator('main img, main script, form img, a[href^="javascript" i]')).toHaveCount(0);
    // No text, however long a word, pushes the page sideways.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
}
