import { describe, expect, it } from 'vitest';
import { checkProblemText } from '../../../src/domain/settings.ts';
import presets from '../../../src/ui/presets.json';
import { PRESETS } from '../../../src/ui/presets.ts';
import { exampleFor, examplesOf } from '../../../src/ui/state/examples.ts';

const recorded = (id: string, problem: string) =>
  ({ id, title: id, why: 'It differs.', level: 'hard', file: `${id}.json`, problem }) as const;

describe('presets', () => {
  it('are all used, have names of their own, and can be run', () => {
    expect(PRESETS).toHaveLength(presets.length);
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length);
    expect(new Set(PRESETS.map(({ text }) => text)).size).toBe(PRESETS.length);
    for (const { text } of PRESETS) expect(checkProblemText(text)).toBeNull();
  });
});

describe('examples', () => {
  it('put recorded runs first, with the answer of their preset', () => {
    const second = PRESETS[1]!;
    const examples = examplesOf(PRESETS, [recorded('a', ` ${second.text}\n`), recorded('b', 'Another one?')]);
    expect(examples).toHaveLength(PRESETS.length + 1);
    expect(examples[0]).toMatchObject({ text: second.text, answer: second.answer, level: 'hard' });
    expect(examples[1]).toMatchObject({ text: 'Another one?', answer: null });
    expect(exampleFor(examples, `${second.text} `)?.recorded?.id).toBe('a');
    expect(exampleFor(examples, 'Nothing like it')).toBeNull();
  });
});
