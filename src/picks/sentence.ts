import type { ExclusionReason, Measure, Pick, PickReason } from '../domain/pick.ts';

/** What a measure is called in a short phrase. */
const MEASURE: Record<Measure, string> = {
  product: 'product',
  min: 'minimum',
  last: 'last step',
  mean: 'mean',
  'geometric-mean': 'geometric mean',
  outcome: 'outcome reward',
};

/** How a measure reads in a sentence. */
const MEASURE_OF: Record<Measure, string> = {
  product: 'product of step rewards',
  min: 'smallest step reward',
  last: 'reward of the last step',
  mean: 'mean step reward',
  'geometric-mean': 'geometric mean of step rewards',
  outcome: 'outcome reward',
};

/** What a measure of step rewards is called, such as "geometric mean". */
export function measureName(measure: Measure): string {
  return MEASURE[measure];
}

/** What people call a lane: they count from 1. */
export function laneName(lane: number): string {
  return `lane ${lane + 1}`;
}

/**
 * A non-negative number with `digits` significant ones: "0.41", "0.041", "4.1e-5". The natural log, where it is
 * given, stands in for numbers that have underflowed: "1.0e-360". Only 1 itself is shown as 1.00, and 0 as 0.
 */
export function formatScore(value: number, log: number = Math.log(value), digits = 2): string {
  if (log === -Infinity) return '0';
  if (value < 1e-300) {
    const tens = log / Math.LN10;
    let exponent = Math.floor(tens);
    let mantissa = (10 ** (tens - exponent)).toFixed(digits - 1);
    if (Number(mantissa) >= 10) {
      mantissa = (1).toFixed(digits - 1);
      exponent += 1;
    }
    return `${mantissa}e${exponent}`;
  }
  if (value < 1e-3) return value.toExponential(digits - 1);
  if (value >= 1) return value.toFixed(digits);
  if (value < 0.1) return value.toFixed(digits + (value < 0.01 ? 2 : 1));
  // 0.997 is not shown as 1.00.
  for (let d = digits; d <= 6; d++) {
    const text = value.toFixed(d);
    if (Number(text) < 1) return text;
  }
  return '0.999999';
}

/** Two numbers with as many digits as it takes to see that they differ, up to 6. */
function formatPair(
  a: { readonly value: number; readonly log: number },
  b: { readonly value: number; readonly log: number },
): [string, string] {
  for (let digits = 2; digits <= 6; digits++) {
    const pair: [string, string] = [formatScore(a.value, a.log, digits), formatScore(b.value, b.log, digits)];
    if (pair[0] !== pair[1]) return pair;
  }
  return [formatScore(a.value, a.log), formatScore(b.value, b.log)];
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

type BestScore = Extract<PickReason, { kind: 'best-score' }>;
type Vote = Extract<PickReason, { kind: 'vote' }>;

/** The reason in a few words and numbers: "product 0.41 against 0.38", "vote 5 to 3, 8 lanes". */
export function reasonPhrase(reason: PickReason): string {
  return reason.kind === 'best-score' ? scorePhrase(reason) : votePhrase(reason);
}

function scorePhrase(reason: BestScore): string {
  const name = MEASURE[reason.measure];
  const [score, other] = scores(reason);
  if (other === null) {
    return reason.lanes === 1
      ? `${name} ${score}, the only lane`
      : `${name} ${score}, all ${reason.lanes} lanes agree`;
  }
  if (reason.tie) return `${name} ${score} in both, the earlier lane wins`;
  return score === other ? `${name} ${score}, barely ahead` : `${name} ${score} against ${other}`;
}

function votePhrase(reason: Vote): string {
  const name = reason.measure === 'count' ? 'vote' : 'weighted vote';
  const lanes = plural(reason.lanes, 'lane');
  const [weight, other] = weights(reason);
  if (other !== null && !reason.tie && weight === other) return `${name} ${weight}, barely ahead, ${lanes}`;
  const phrase = `${name} ${weight} to ${other ?? '0'}, ${lanes}`;
  return reason.tie ? `${phrase}, the group with the earliest lane wins` : phrase;
}

/** A pick as a sentence: which lane or group won, by how much over what; or why nothing was picked. */
export function pickSentence(pick: Pick): string {
  if (pick.kind === 'none') return pick.message;
  const { reason, lane } = pick;
  if (reason.kind === 'best-score') return scoreSentence(reason, lane);
  return reason.measure === 'count'
    ? voteSentence(reason, lane)
    : weightedSentence(reason, reason.measure, lane);
}

function scoreSentence(reason: BestScore, lane: number): string {
  const what = MEASURE_OF[reason.measure];
  const name = laneName(lane);
  const [score, other] = scores(reason);
  if (reason.runnerUp === null || other === null) {
    return reason.lanes === 1
      ? `Only ${name} could be picked; its ${what} is ${score}.`
      : `All ${reason.lanes} lanes agree on the answer; ${name} has the highest ${what}: ${score}.`;
  }
  const next = laneName(reason.runnerUp.lane);
  if (reason.tie) {
    return `${capital(name)} and ${next} have the same ${what}, ${score}; the earlier lane is picked.`;
  }
  const against = score === other ? `${score}, barely more than` : `${score} against ${other} for`;
  return `${capital(name)} has the highest ${what}: ${against} ${next}, the best with another answer.`;
}

function voteSentence(reason: Vote, lane: number): string {
  const voters = plural(reason.lanes, 'lane');
  const next = reason.runnerUp;
  if (next === null) {
    return reason.lanes === 1 ? `Only ${laneName(lane)} could vote.` : `All ${voters} have this answer.`;
  }
  const share = `${reason.votes} of ${voters} ${has(reason.votes)} this answer`;
  return reason.tie
    ? `${share}, and as many have ${next.answer}; the group with the earliest lane wins.`
    : `${share}; ${next.votes} ${has(next.votes)} ${next.answer}.`;
}

function weightedSentence(reason: Vote, measure: Measure, lane: number): string {
  const what = MEASURE_OF[measure];
  const voters = plural(reason.lanes, 'lane');
  const [weight, other] = weights(reason);
  if (reason.runnerUp === null || other === null) {
    return reason.lanes === 1
      ? `Only ${laneName(lane)} could vote; its ${what} is ${weight}.`
      : `All ${voters} have this answer; they weigh ${weight} by ${what}.`;
  }
  const share = `${reason.votes} of ${voters} ${has(reason.votes)} this answer`;
  const next = reason.runnerUp.answer;
  if (reason.tie) {
    return `${share}, weighing ${weight} by ${what}, the same as for ${next}; the group with the earliest lane wins.`;
  }
  const against = weight === other ? `${weight}, barely more than` : `${weight} against ${other} for`;
  return `${share}, weighing ${against} ${next}, by ${what}.`;
}

function scores(reason: BestScore): [string, string | null] {
  const { score, logScore, runnerUp } = reason;
  if (runnerUp === null) return [formatScore(score, logScore), null];
  return formatPair({ value: score, log: logScore }, { value: runnerUp.score, log: runnerUp.logScore });
}

function weights(reason: Vote): [string, string | null] {
  const { measure, weight, logWeight, runnerUp } = reason;
  if (measure === 'count') return [String(weight), runnerUp === null ? null : String(runnerUp.weight)];
  if (runnerUp === null) return [formatScore(weight, logWeight), null];
  return formatPair({ value: weight, log: logWeight }, { value: runnerUp.weight, log: runnerUp.logWeight });
}

/** Why a lane took no part, to be read behind its name: "lane 3: 2 of its 5 steps have no reward". */
export function exclusionPhrase(reason: ExclusionReason): string {
  switch (reason.kind) {
    case 'running':
      return 'still being written';
    case 'no-answer':
      return reason.message;
    case 'no-steps':
      return 'has no step to score';
    case 'missing-rewards':
      return `${reason.missing.length} of its ${plural(reason.steps, 'step')} ${has(reason.missing.length)} no reward`;
    case 'bad-reward':
      return `the reward of step ${reason.step + 1} is not a number from 0 to 1`;
    case 'missing-outcome':
      return 'has no outcome reward';
    case 'bad-outcome':
      return 'its outcome reward is not a number from 0 to 1';
  }
}

const has = (count: number): string => (count === 1 ? 'has' : 'have');

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
