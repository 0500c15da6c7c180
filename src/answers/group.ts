import { compareAnswers, type AnswerContext, type Comparison } from './compare.ts';

/** A person's word on two spellings; it goes before every rule. Spellings are compared after trimming. */
export interface AnswerOverride {
  readonly a: string;
  readonly b: string;
  readonly verdict: 'equal' | 'different';
}

/** Solutions that gave the same answer. */
export interface AnswerGroup {
  /** The spelling of the earliest member. */
  readonly answer: string;
  /** Indices into the list that was grouped, ascending. */
  readonly members: readonly number[];
  /** Why different spellings are in one group: `b` joined because of `a`. Empty if all are spelt alike. */
  readonly merged: readonly { readonly a: string; readonly b: string; readonly rule: string }[];
}

/** Two groups that may be one: no rule could tell. A person can settle it with an override. */
export interface UnsurePair {
  readonly a: string;
  readonly b: string;
  readonly rule: string;
}

/** The rule given for what a person decided. */
export const OVERRIDE_RULE = 'your decision';

interface Building {
  spellings: string[];
  members: number[];
  merged: { a: string; b: string; rule: string }[];
}

/**
 * Groups answers by equality, not by spelling. `null` (no answer) belongs to no group. Groups are in the order of
 * their earliest member.
 *
 * Equality of answers is not transitive ("5 cm" equals "5" and "5" equals "5 m"), so an answer joins the earliest
 * group in which it equals some member and differs from none. A person's "equal" joins (and bridges) groups whatever
 * the rules say, unless the person also said "different" about the two. Deterministic; never throws.
 */
export function groupAnswers(
  answers: readonly (string | null)[],
  overrides: readonly AnswerOverride[] = [],
  context?: AnswerContext,
): AnswerGroup[] {
  const decided = overrideTable(overrides);
  const groups: Building[] = [];
  const bySpelling = new Map<string, Building>();

  answers.forEach((raw, index) => {
    if (raw === null) return;
    const spelling = raw.trim();
    const known = bySpelling.get(spelling);
    if (known !== undefined) {
      known.members.push(index);
      return;
    }
    const verdicts = groups.map((group) => place(spelling, group, decided, context));
    const chosen = verdicts.flatMap((v, i) => (v?.byPerson === true ? [i] : []));
    const computed = verdicts.findIndex((v) => v !== null && !v.byPerson);
    const homes = chosen.length > 0 ? chosen : computed >= 0 ? [computed] : [];

    let home: Building | null = null;
    for (const i of homes) {
      const group = groups[i]!;
      const via = verdicts[i]!;
      if (home === null) {
        home = group;
      } else if (group.spellings.some((a) => home!.spellings.some((b) => decided(a, b) === 'different'))) {
        continue;
      } else {
        home.members.push(...group.members);
        home.spellings.push(...group.spellings);
        home.merged.push(...group.merged);
        for (const s of group.spellings) bySpelling.set(s, home);
        group.members = [];
      }
      home.merged.push({ a: via.a, b: spelling, rule: via.rule });
    }
    if (home === null) {
      home = { spellings: [], members: [], merged: [] };
      groups.push(home);
    }
    home.spellings.push(spelling);
    home.members.push(index);
    bySpelling.set(spelling, home);
    for (let i = groups.length - 1; i >= 0; i--) if (groups[i]!.members.length === 0) groups.splice(i, 1);
  });

  return groups
    .map((group) => ({ ...group, members: group.members.sort((x, y) => x - y) }))
    .sort((x, y) => x.members[0]! - y.members[0]!)
    .map((group) => ({
      answer: answers[group.members[0]!]!.trim(),
      members: group.members,
      merged: group.merged,
    }));
}

/** The pairs of groups for which the rules say "unknown", to be shown as such. At most 2,016 comparisons at 64 lanes. */
export function unsurePairs(
  groups: readonly AnswerGroup[],
  overrides: readonly AnswerOverride[] = [],
  context?: AnswerContext,
): UnsurePair[] {
  const decided = overrideTable(overrides);
  const pairs: UnsurePair[] = [];
  for (let i = 0; i < groups.length; i++) {
    for (let j = i + 1; j < groups.length; j++) {
      const a = groups[i]!.answer;
      const b = groups[j]!.answer;
      if (decided(a, b) !== undefined) continue;
      const { verdict, rule } = compareAnswers(a, b, context);
      if (verdict === 'unknown') pairs.push({ a, b, rule });
    }
  }
  return pairs;
}

type Decided = (a: string, b: string) => 'equal' | 'different' | undefined;

/** The last word counts where a person decided twice. */
function overrideTable(overrides: readonly AnswerOverride[]): Decided {
  const table = new Map<string, 'equal' | 'different'>();
  const key = (a: string, b: string): string => JSON.stringify(a < b ? [a, b] : [b, a]);
  for (const { a, b, verdict } of overrides) table.set(key(a.trim(), b.trim()), verdict);
  return table.size === 0 ? () => undefined : (a, b) => table.get(key(a, b));
}

/** Why `spelling` belongs into `group`, or `null` if it does not. */
function place(
  spelling: string,
  group: Building,
  decided: Decided,
  context: AnswerContext | undefined,
): { a: string; rule: string; byPerson: boolean } | null {
  let computed: { a: string; rule: string } | null = null;
  let byPerson: string | null = null;
  let apart = false;
  for (const member of group.spellings) {
    const word = decided(spelling, member);
    if (word === 'different') return null;
    if (word === 'equal') {
      byPerson ??= member;
      continue;
    }
    if (byPerson !== null || apart) continue;
    const { verdict, rule }: Comparison = compareAnswers(member, spelling, context);
    if (verdict === 'equal') computed ??= { a: member, rule };
    if (verdict === 'different') apart = true;
  }
  if (byPerson !== null) return { a: byPerson, rule: OVERRIDE_RULE, byPerson: true };
  return apart || computed === null ? null : { ...computed, byPerson: false };
}
