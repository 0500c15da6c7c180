import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLD } from '../../../src/domain/pick.ts';
import { fold, type Run } from '../../../src/domain/run.ts';
import { readRecordedIndex } from '../../../src/formats/recorded-index.ts';
import { parseRunFile } from '../../../src/formats/run-file.ts';
import { factsOf } from '../../../src/ui/state/facts.ts';
import { modeOf } from '../../../src/ui/state/hash.ts';
import { bestView, TOUR_STOPS, type TourView } from '../../../src/ui/tour/stops.ts';
import { runOf, type Lane } from '../picks/runs.ts';

const viewOf = (run: Run): TourView => ({
  run,
  facts: factsOf(run, { reduction: 'product', n: run.solutions.length }, DEFAULT_THRESHOLD),
});

function recorded(): TourView[] {
  const read = (file: string): string =>
    readFileSync(new URL(`../../../public/recorded/${file}`, import.meta.url), 'utf8');
  const index = readRecordedIndex(read('index.json'));
  if (!index.ok) throw new Error(index.message);
  return index.value.runs.map(({ file }) => {
    const events = parseRunFile(read(file));
    if (!events.ok) throw new Error(events.message);
    return viewOf(fold(null, events.value)!);
  });
}

const right = (rewards: number[], outcome = 0.9): Lane => ({ answer: '42', rewards, outcome });
const wrong = (rewards: number[], outcome = 0.1): Lane => ({ answer: '7', rewards, outcome });
const agreed = viewOf(runOf([right([0.9]), right([0.8])], '42'));
const votedDown = viewOf(runOf([wrong([0.9, 0.1]), wrong([0.2]), right([0.99, 0.98])], '42'));
const misled = viewOf(runOf([wrong([0.99], 0.99), right([0.4])], '42'));

describe('the tour', () => {
  it('says something with numbers about every recorded run, and points at what is there', () => {
    for (const view of [...recorded(), agreed, votedDown, misled]) {
      for (const stop of TOUR_STOPS) {
        const text = stop.text(view);
        expect(text, stop.id).not.toMatch(/undefined|null|NaN|\?\s×/);
        const target = stop.target(view);
        if (target.kind === 'pick') continue;
        const solution = view.run.solutions[target.lane];
        expect(solution, stop.id).toBeDefined();
        if (target.kind === 'step') expect(solution!.steps[target.step], stop.id).toBeDefined();
      }
    }
  });

  it('has a text for a run in which nothing can be picked', () => {
    const nothing = viewOf(runOf([{ answer: null, rewards: [] }], null));
    for (const stop of TOUR_STOPS) expect(stop.text(nothing).length).toBeGreaterThan(20);
  });

  it('chooses runs by what they show', () => {
    const views = [agreed, votedDown, misled];
    const chosen = Object.fromEntries(TOUR_STOPS.map((stop) => [stop.id, bestView(stop, views, null)]));
    expect(chosen).toMatchObject({ voting: 1, failing: 2, rewards: 1 });
    expect(bestView(TOUR_STOPS[0]!, [], null)).toBeNull();
    expect(bestView(TOUR_STOPS[2]!, [agreed, votedDown], 1), 'the run on the screen stays').toBe(1);
  });
});

describe('the address', () => {
  it.each([
    ['#tour', { kind: 'tour', stop: 0 }],
    ['#tour=3', { kind: 'tour', stop: 2 }],
    ['#present', { kind: 'present' }],
    ['#tour=0', null],
    ['#tour=33', null],
    ['#r=abc', null],
    ['', null],
  ])('%s', (hash, mode) => {
    expect(modeOf(hash)).toEqual(mode);
  });
});
