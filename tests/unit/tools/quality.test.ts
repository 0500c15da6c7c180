import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

interface Evaluation {
  readonly command: string;
  readonly n: number;
  readonly summary: {
    readonly problems: number;
    readonly meanSample: number;
    readonly greedy: number;
    readonly picks: Readonly<Record<string, Readonly<Record<string, { readonly mean: number }>>>>;
  };
}

interface StandardQuality {
  readonly sets: Readonly<
    Record<
      string,
      Readonly<
        Record<
          'problems' | 'n' | 'greedy' | 'meanSample' | 'prm' | 'orm' | 'majority' | 'weighted' | 'pass',
          number
        >
      >
    >
  >;
}

const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

test('figures of quality in the manifest, and in the README, are those that the evaluation wrote', async () => {
  const manifest = (await read('static-models/manifest.json')) as {
    readonly models: readonly {
      readonly id: string;
      readonly quality: Readonly<Record<string, number | string>>;
    }[];
  };
  const evaluation = (await read('training/results/in-range-64.json')) as Evaluation;
  const steps = (await read('training/results/steps-in-range.json')) as Readonly<Record<string, number>>;
  const quality = manifest.models.find(({ id }) => id === 'pocket')!.quality;
  const { picks, meanSample, problems } = evaluation.summary;
  expect(quality['measuredBy']).toBe(evaluation.command);
  expect(quality['problems']).toBe(problems);
  expect(quality['meanSample']).toBeCloseTo(meanSample, 3);
  for (const name of ['prm', 'orm', 'majority', 'pass'])
    for (const n of [16, evaluation.n])
      expect(quality[`${name}@${n}`], `${name} at ${n}`).toBeCloseTo(picks[name]![String(n)]!.mean, 3);
  expect(quality['firstMistakeExact']).toBeCloseTo(steps['firstMistakeExact']!, 3);

  const readme = await readFile('README.md', 'utf8');
  const rows = {
    'PRM best-of-N, product': 'prm',
    'PRM best-of-N, minimum': 'prmMin',
    'ORM best-of-N': 'orm',
    'majority vote': 'majority',
    'PRM-weighted vote': 'weighted',
    'pass@N': 'pass',
  };
  for (const [label, name] of Object.entries(rows)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| ${label} `));
    const shown = row?.match(/\d+\.\d/g)?.slice(0, 7);
    const measured = [1, 2, 4, 8, 16, 32, 64].map((n) => (100 * picks[name]![String(n)]!.mean).toFixed(1));
    expect(shown, label).toEqual(measured);
  }
});

test('the standard models: the manifest and the README say what was measured on problems that people wrote', async () => {
  const manifest = (await read('static-models/manifest.json')) as {
    readonly models: readonly { readonly id: string; readonly quality?: StandardQuality }[];
  };
  const standard = manifest.models.find(({ id }) => id === 'standard');
  if (standard === undefined) throw new Error('The standard models are not in the manifest.');
  const sets = Object.entries(standard.quality?.sets ?? {});
  // Those whose evaluation is kept; the three long ones at least.
  const kept = (await readdir('training/results')).flatMap(
    (file) => /^standard-(.*)-dev\.json$/u.exec(file)?.[1] ?? [],
  );
  expect(sets.map(([name]) => name).sort()).toEqual(kept.sort());
  expect(kept).toEqual(expect.arrayContaining(['multiarith', 'singleeq', 'svamp']));
  const readme = (await readFile('README.md', 'utf8')).split('\n');
  for (const [name, figures] of sets) {
    const { summary, n } = (await read(`training/results/standard-${name}-dev.json`)) as Evaluation;
    const at = (pick: string): number => summary.picks[pick]![String(n)]!.mean;
    const measured = [
      summary.greedy,
      summary.meanSample,
      ...['prm', 'orm', 'majority', 'weighted', 'pass'].map(at),
    ];
    expect(figures.problems, name).toBe(summary.problems);
    expect(figures.n, name).toBe(n);
    const { greedy, meanSample, prm, orm, majority, weighted, pass } = figures;
    for (const [i, value] of [greedy, meanSample, prm, orm, majority, weighted, pass].entries())
      expect(value, name).toBeCloseTo(measured[i]!, 3);
    const row = readme.find((line) => line.startsWith(`| ${name} (${summary.problems})`));
    const shown = row
      ?.split('|')
      .slice(2, 9)
      .map((cell) => cell.trim());
    expect(shown, name).toEqual(measured.map((share) => (100 * share).toFixed(1)));
  }
});
