import { describe, expect, it } from 'vitest';
import { parseRunFile } from '../../../src/formats/run-file.ts';
import { LABEL_FORMATS, type LabelFormat } from '../../../src/formats/convert.ts';
import { parseCsv } from '../../../src/formats/csv.ts';
import { parseScored } from '../../../src/formats/scored.ts';
import { exportRun, RUN_EXPORTS } from '../../../src/share/run-exports.ts';
import { fileNameFor } from '../../../src/share/save-file.ts';
import { KEPT_RUNS, RunsStore } from '../../../src/share/runs-store.ts';
import { fold } from '../../../src/domain/run.ts';
import { runOf } from '../picks/runs.ts';

const run = runOf(
  [
    { answer: '42', rewards: [0.9, 0.8], outcome: 0.7 },
    { answer: '41', rewards: [0.9, 0.2], outcome: 0.1 },
  ],
  '42',
);
const verdicts = [
  { prm: 0.72, orm: 0.7, correct: true },
  { prm: 0.18, orm: 0.1, correct: false },
];
const text = (format: Parameters<typeof exportRun>[2]): string => {
  const written = exportRun(run, verdicts, format, 0.5);
  if (!written.ok) throw new Error(written.message);
  return written.value;
};

describe('exports of a run', () => {
  it('are all written', () => {
    expect(RUN_EXPORTS.length).toBe(8);
    for (const { format } of RUN_EXPORTS) expect(text(format).length, format).toBeGreaterThan(10);
  });

  it('give the run back from its run file', () => {
    const events = parseRunFile(text('run'));
    expect(events.ok && fold(null, events.value)).toEqual(run);
  });

  it('hold one line for each lane, with its scores', () => {
    const lines = text('scored').trim().split('\n').map(parseScored);
    expect(lines.map((line) => line.ok && line.value)).toMatchObject([
      {
        answer: '42',
        prmScore: 0.72,
        ormScore: 0.7,
        correct: true,
        rest: { lane: 0, step_rewards: [0.9, 0.8] },
      },
      { answer: '41', correct: false, rest: { lane: 1 } },
    ]);
    expect(parseCsv(text('csv'))).toHaveLength(3);
  });

  it.each(Object.keys(LABEL_FORMATS) as LabelFormat[])(
    'label steps by their rewards, and say so: %s',
    (format) => {
      const written = exportRun(run, verdicts, format, 0.5);
      expect(written.ok && written.losses[0]).toMatch(/labelled right where its reward is 0.5 or more/);
      const [, second] = text(format).trim().split('\n').map(LABEL_FORMATS[format].parse);
      if (second === undefined || !second.ok) throw new Error('not read back');
      const ratings = second.value.steps.map(({ completions }) => completions?.[0]?.rating ?? null);
      expect(ratings.at(-1)).toBe(-1);
    },
  );

  it('get a file name of plain letters', () => {
    expect(fileNameFor('Nora’s 3 <b>bags</b>: ½ of "14"/é?', 'csv')).toBe('nora-s-3-b-bags-b.csv');
    expect(fileNameFor('数学', 'csv')).toBe('run.csv');
  });
});

describe('kept runs where nothing can be stored', () => {
  it('live in memory, newest first, and say why', async () => {
    const store = new RunsStore();
    const first = await store.save(run);
    const second = await store.save({ ...run, problem: { text: 'Another?', answer: null } });
    expect(store.keeping.kind === 'memory' && store.keeping.reason).toMatch(/run files/);
    expect((await store.list()).map(({ id }) => id).sort()).toEqual([first, second].sort());
    const opened = await store.open(first!);
    expect(opened.ok && opened.value).toEqual(run);
    await store.delete(first!);
    expect(await store.list()).toHaveLength(1);
    expect((await store.open(first!)).ok).toBe(false);
    for (let i = 0; i < KEPT_RUNS + 3; i++) await store.save(run);
    expect(await store.list()).toHaveLength(KEPT_RUNS);
    await store.deleteAll();
    expect(await store.list()).toEqual([]);
  });
});
