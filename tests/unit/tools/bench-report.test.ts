import { describe, expect, it } from 'vitest';
import { markdownTable, median, samplingShare, summarise } from '../../../tools/bench-report.mjs';

const timing = (ms: number, tokens: number) => ({ ms, tokens, firstTokenMs: ms / 10 });

/** Made-up clocks: this engine writes a token in 1 ms, batched generate() in 2, sequential calls in 8, 9 and 10. */
const measured = {
  backend: 'wasm' as const,
  n: 16,
  generation: [8, 10, 9].map((slow) => ({
    own: { ...timing(1000, 1000), forwardMs: 900 },
    batched: timing(1800, 900),
    sequential: { ...timing(slow * 250, 250), calls: 4 },
  })),
  liveScoring: [{ ownMs: 100, otherMs: 80 }],
  stepScoring: [],
};

describe('summarise', () => {
  const summary = summarise([measured]);

  it('compares time per token within each round', () => {
    expect(summary.ratios).toEqual([
      { backend: 'wasm', n: 16, against: 'sequential-generate', ratio: 9, low: 8, high: 10 },
      { backend: 'wasm', n: 16, against: 'batched-generate', ratio: 2, low: 2, high: 2 },
      { backend: 'wasm', n: 16, against: 'no-live-scoring', ratio: 0.8, low: 0.8, high: 0.8 },
    ]);
  });

  it('says what share of the time is inside the runtime, and when the first token came', () => {
    expect(summary.shares).toEqual([{ backend: 'wasm', n: 16, insideRuntime: 0.9 }]);
    expect(summary.firstToken).toEqual([{ backend: 'wasm', n: 16, own: 100, batched: 180, sequential: 225 }]);
  });

  it('leaves out what was not measured', () => {
    const empty = { ...measured, generation: [], liveScoring: [] };
    expect(summarise([empty])).toEqual({ ratios: [], shares: [], firstToken: [], speed: [] });
  });

  it('becomes a table with one row for each N and an empty cell for what was not measured', () => {
    const [head, rule, row, ...rest] = markdownTable(summary)
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rest).toEqual([]);
    expect(new Set([head!.length, rule!.length, row!.length]).size).toBe(1);
    expect(row).toContain('9.00 (8.00 to 10.0)');
    expect(row![head!.indexOf('a pass per step')]).toBe('');
    expect(row![head!.indexOf('in the runtime')]).toBe('90%');
  });
});

describe('samplingShare', () => {
  it('is a share of the step, as the median with its range', () => {
    const steps = [10, 25, 20].map((samplingMs) => ({ samplingMs, forwardMs: 100 - samplingMs }));
    expect(samplingShare(steps)).toEqual({ share: 0.2, low: 0.1, high: 0.25, forwardMs: 80, samplingMs: 20 });
  });
});

describe('median', () => {
  it('lies between the two in the middle of an even number', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});
