import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupAnswers, OVERRIDE_RULE, unsurePairs } from '../../../src/answers/group.ts';

const members = (...args: Parameters<typeof groupAnswers>): (readonly number[])[] =>
  groupAnswers(...args).map((g) => g.members);

describe('groups', () => {
  it('are by equality, in the order of their earliest member, without the answerless', () => {
    const groups = groupAnswers(['1/2', null, '7', '0.5', '7', '\\frac12', null]);
    expect(groups).toEqual([
      {
        answer: '1/2',
        members: [0, 3, 5],
        merged: [
          { a: '1/2', b: '0.5', rule: 'same number' },
          { a: '1/2', b: '\\frac12', rule: 'same number' },
        ],
      },
      { answer: '7', members: [2, 4], merged: [] },
    ]);
  });

  it('keep apart what a rule keeps apart, even if a third equals both', () => {
    expect(members(['5 dollars', '5', '5 cents'])).toEqual([[0, 1], [2]]);
    expect(members(['5 dollars', '5 cents', '5'])).toEqual([[0, 2], [1]]);
  });

  it('do not merge what is unknown, but say so', () => {
    const groups = groupAnswers(['3,5', '3.5', '4']);
    expect(groups.map((g) => g.members)).toEqual([[0], [1], [2]]);
    expect(unsurePairs(groups)).toEqual([{ a: '3,5', b: '3.5', rule: 'a list or a decimal comma' }]);
    expect(members(['3,5', '3.5'], [], { problem: 'Ein Apfel kostet 1,25 Euro.' })).toEqual([[0, 1]]);
  });

  it('follow a person', () => {
    const merge = [{ a: '3.5', b: '3,5', verdict: 'equal' }] as const;
    const merged = groupAnswers(['3,5', '3.5', '4'], merge);
    expect(merged[0]).toEqual({
      answer: '3,5',
      members: [0, 1],
      merged: [{ a: '3,5', b: '3.5', rule: OVERRIDE_RULE }],
    });
    expect(unsurePairs(merged, merge)).toEqual([]);
    // Against the rules, too.
    expect(members(['5', '6'], [{ a: '5', b: '6', verdict: 'equal' }])).toEqual([[0, 1]]);
    expect(members(['1/2', '0.5'], [{ a: '0.5', b: '1/2', verdict: 'different' }])).toEqual([[0], [1]]);
    // A third that equals both stays with the earlier.
    expect(members(['1/2', '0.5', '2/4'], [{ a: '0.5', b: '1/2', verdict: 'different' }])).toEqual([
      [0, 2],
      [1],
    ]);
    // The last word counts.
    expect(
      members(
        ['5', '6'],
        [
          { a: '5', b: '6', verdict: 'equal' },
          { a: '6', b: '5', verdict: 'different' },
        ],
      ),
    ).toEqual([[0], [1]]);
    // One spelling may bridge two groups.
    expect(
      members(
        ['5', '6', '7'],
        [
          { a: '5', b: '7', verdict: 'equal' },
          { a: '6', b: '7', verdict: 'equal' },
        ],
      ),
    ).toEqual([[0, 1, 2]]);
  });

  it('hold each answer exactly once, and depend on nothing but the input', () => {
    const answer = fc.option(
      fc.constantFrom('5', '5.0', '5 cm', '$5', '5 m', '10/2', '3,5', '3.5', '7', 'x', 'y', '5\\%', ''),
    );
    const override = fc.record({
      a: fc.constantFrom('5', '7', '3.5', 'x'),
      b: fc.constantFrom('5.0', '3,5', 'y', '5 cm'),
      verdict: fc.constantFrom('equal' as const, 'different' as const),
    });
    fc.assert(
      fc.property(
        fc.array(answer, { maxLength: 20 }),
        fc.array(override, { maxLength: 4 }),
        (answers, overrides) => {
          const groups = groupAnswers(answers, overrides);
          expect(groupAnswers(answers, overrides)).toEqual(groups);
          expect(groups.flatMap((g) => g.members).sort((a, b) => a - b)).toEqual(
            answers.flatMap((a, i) => (a === null ? [] : [i])),
          );
          const firsts = groups.map((g) => g.members[0]!);
          expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
          for (const g of groups) expect(g.answer).toBe(answers[g.members[0]!]!.trim());
          for (const g of groups)
            expect(g.merged.length).toBe(new Set(g.members.map((i) => answers[i])).size - 1);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
