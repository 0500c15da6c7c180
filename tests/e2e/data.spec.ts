import { expect, test } from './fixtures.ts';
import { PlaygroundPage } from './playground.ts';

const LINES = [
  '{"problem": "What is 2 + 3 * 4?", "steps": ["3 * 4 = 12", "2 + 12 = 14", "Answer: 14"], "step_classes": [{"positive": 0.3, "neutral": 0.65, "negative": 0.05}, {"positive": 0.9, "neutral": 0.05, "negative": 0.05}, {"positive": 0.9, "neutral": 0.1, "negative": 0}], "ground_truth_answer": "14"}',
  '{"problem": "What is 2 + 3 * 4?", "steps": ["2 + 3 = 5", "5 * 4 = 20", "Answer: 20"], "step_classes": [{"positive": 0.7, "neutral": 0, "negative": 0.3}, {"positive": 0.8, "neutral": 0, "negative": 0.2}, {"positive": 0.9, "neutral": 0.1, "negative": 0}]}',
  '<img src=x onerror=alert(1)>',
  '{"problem": "What is 9 - 5?", "solution": "9 - 5 = 4\\nAnswer: 4"}',
];

test('pasted data is shown and ranked without a model, by either neutral rule, with its faults by line', async ({
  page,
  expectAccessible,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await page.getByRole('button', { name: 'Open data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open data' });
  await dialog.getByRole('textbox', { name: 'Lines of data' }).fill(LINES.join('\n'));
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByRole('status')).toHaveText(/3 solutions of 2 problems.*1 line could not be read/);
  await dialog.getByText('Lines that could not be read').click();
  await expect(dialog.getByText('Line 3')).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByRole('button', { name: /^Score here, loads .* MB once$/ })).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Show' }).first().click();

  await expect(page.getByText('Imported', { exact: true })).toBeVisible();
  await expect(playground.lanes).toHaveCount(2);
  await expect(playground.pick('PRM best-of-N').getByRole('strong').first()).toHaveText('14');
  await page.getByLabel('Neutral steps count as').selectOption('wrong');
  await expect(playground.pick('PRM best-of-N').getByRole('strong').first()).toHaveText('20');
});

test('solutions without rewards are scored by the bundled models', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await page.getByRole('button', { name: 'Open data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open data' });
  await dialog.getByLabel('Choose a file').setInputFiles({
    name: 'solutions.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(LINES[3]!),
  });
  await dialog.getByRole('button', { name: /^Score here/ }).click();
  await expect(dialog).toHaveCount(0, { timeout: 120_000 });
  await expect(page.getByText(/computed here by the loaded models/)).toBeVisible();
  const [name] = await playground.stepNames(0);
  expect(name).toMatch(/Reward [<>]?\d\.\d+\./);
});

test('a file that is none of the formats says what to do', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await page.getByRole('button', { name: 'Open data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open data' });
  await dialog.getByLabel('Choose a file').setInputFiles({
    name: 'x.jsonl',
    mimeType: 'text/plain',
    buffer: Buffer.from('{"a": 1}\n{"b": 2}'),
  });
  await expect(dialog.getByRole('alert')).toHaveText(
    /No line could be read\. Line 1: none of the known formats/,
  );
});
