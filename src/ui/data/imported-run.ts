import { extractAnswer } from '../../answers/extract.ts';
import { IMPORTED } from '../../domain/imported.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { RunEvent, RunModels } from '../../domain/run.ts';
import { DEFAULT_SETTINGS } from '../../domain/settings.ts';
import { SOLUTION_FORMATS, type ForeignProblem, type ForeignSolution } from '../../formats/solutions.ts';
import { isProbability } from '../../picks/reduce.ts';
import { plural } from '../text/numbers.ts';

/** Rewards of a solution that a model of this page gave. */
export interface GivenRewards {
  readonly steps: readonly number[];
  readonly outcome: number | null;
}

/** A problem's solutions as a run, and what a person must know about how they are shown. */
export interface ImportedRun {
  readonly events: readonly RunEvent[];
  /** Sentences. */
  readonly notes: readonly string[];
}

/** The steps of a solution as they are shown and scored. */
export function stepTexts({ steps, answer, prmScore }: ForeignSolution): string[] {
  const texts = steps.map(({ text }) => text);
  if (texts.length === 0) return answer === null ? [] : [`Answer: ${answer}`];
  // A score of the whole solution belongs to no step: then the solution is one.
  return prmScore !== null && !steps.some(({ reward }) => reward !== null) ? [texts.join('\n')] : texts;
}

/**
 * Turns the solutions of one problem into the events of a run, first come first lane. `scores` are rewards that the
 * models of this page gave, in the order of the solutions; without them those of the file count.
 */
export function importedRun(
  { problem, solutions }: ForeignProblem,
  scores: { readonly by: RunModels | null; readonly rewards: readonly GivenRewards[] } | null = null,
): ImportedRun {
  const shown = solutions.slice(0, LIMITS.maxLanes);
  const truth = truthOf(shown);
  const source = { id: IMPORTED, revision: '', dtype: '' };
  const by = scores?.by ?? null;
  const prmUnit = unitOf(shown.map(({ prmScore }) => prmScore));
  const ormUnit = unitOf(shown.map(({ ormScore }) => ormScore));
  const events: RunEvent[] = [
    {
      type: 'started',
      problem: { text: problem, answer: truth },
      settings: { ...DEFAULT_SETTINGS, n: shown.length },
      models: {
        generator: source,
        prm: by === null ? source : by.prm,
        orm: by === null ? source : by.orm,
      },
      backend: 'wasm',
    },
  ];
  for (const [lane, solution] of shown.entries()) {
    const given = scores?.rewards[lane] ?? null;
    const texts = given === null ? stepTexts(solution) : solution.steps.map(({ text }) => text);
    for (const [step, text] of texts.entries()) {
      events.push({ type: 'step', lane, text, tokens: 0, logprob: 0 });
      const own = solution.steps[step];
      const reward =
        given !== null
          ? (given.steps[step] ?? null)
          : (own?.reward ?? (texts.length === 1 ? prmUnit(solution.prmScore) : null));
      if (reward === null || !isProbability(reward)) continue;
      const classes = given === null ? (own?.classes ?? null) : null;
      events.push({ type: 'reward', lane, step, reward, ...(classes === null ? {} : { classes }) });
    }
    const outcome = given === null ? ormUnit(solution.ormScore) : given.outcome;
    if (outcome !== null) events.push({ type: 'outcome', lane, reward: outcome });
    const answer = answerOf(solution);
    events.push({ type: 'ended', lane, end: { kind: answer === null ? 'no-answer' : 'answer' }, answer });
  }
  events.push({
    type: 'finished',
    status: { kind: 'complete' },
    stats: { wallMs: 0, forwardMs: 0, firstTokenMs: 0, tokens: 0 },
  });
  return { events, notes: notesOn(solutions, truth, scores !== null) };
}

/** The answer that the source gives, else the one that the text declares. */
function answerOf({ answer, steps }: ForeignSolution): string | null {
  const own = answer?.trim() ?? '';
  if (own !== '') return own;
  return extractAnswer(steps.map(({ text }) => text).join('\n'));
}

/** The correct answer, or the answer of a solution that the source calls correct. */
function truthOf(solutions: readonly ForeignSolution[]): string | null {
  const said = solutions.find(({ truth }) => truth !== null && truth.trim() !== '')?.truth;
  if (said !== undefined && said !== null) return said.trim().slice(0, LIMITS.maxAnswerCharacters);
  const right = solutions.find((solution) => solution.correct === true && answerOf(solution) !== null);
  return right === undefined ? null : (answerOf(right)?.slice(0, LIMITS.maxAnswerCharacters) ?? null);
}

/** Scores that are no probabilities (logits) become some by the logistic function, which keeps their order. */
function unitOf(scores: readonly (number | null)[]): (score: number | null) => number | null {
  const plain = scores.every((score) => score === null || isProbability(score));
  return (score) => (score === null ? null : plain ? score : 1 / (1 + Math.exp(-score)));
}

function notesOn(solutions: readonly ForeignSolution[], truth: string | null, scoredHere: boolean): string[] {
  const shown = solutions.slice(0, LIMITS.maxLanes);
  const notes: string[] = [];
  if (solutions.length > shown.length)
    notes.push(
      `The first ${shown.length} of ${solutions.length} solutions are shown: a run has at most so many lanes.`,
    );
  const labelled = shown.filter(({ format }) => !['scored', 'solutions', 'csv'].includes(format));
  if (labelled.length > 0 && !scoredHere) {
    const name = SOLUTION_FORMATS[labelled[0]!.format];
    notes.push(
      `The step rewards are the labels of the file (${name}): 1 for right, 0 for wrong. No model gave them.`,
    );
  }
  if (scoredHere) notes.push('The rewards were computed here by the loaded models.');
  else {
    const bare = unscored({ problem: '', solutions });
    if (bare > 0)
      notes.push(
        `${plural(bare, 'solution')} ${bare === 1 ? 'has' : 'have'} no rewards: open the data again and choose “Score here” to have them judged here.`,
      );
    const one = shown.filter(
      ({ prmScore, steps }) => prmScore !== null && !steps.some(({ reward }) => reward !== null),
    );
    if (one.length > 0)
      notes.push(
        `The file scores ${plural(one.length, 'solution')} as a whole: each is shown as one step with that score.`,
      );
    for (const [field, scores] of Object.entries({
      prm_score: shown.map(({ prmScore }) => prmScore),
      orm_score: shown.map(({ ormScore }) => ormScore),
    })) {
      if (scores.some((score) => score !== null && !isProbability(score)))
        notes.push(
          `${field} is not from 0 to 1 in this file: 1 ÷ (1 + e to the power −score) is shown, which keeps the order.`,
        );
    }
  }
  if (truth !== null && !shown.some((solution) => solution.truth !== null))
    notes.push(`The correct answer ${truth} is that of a solution which the file calls correct.`);
  if (truth === null && shown.some(({ correct }) => correct !== null))
    notes.push(
      'The file says which solutions are wrong, but not the correct answer. Give it as "ground_truth_answer" to see right and wrong.',
    );
  return notes;
}

/** How many solutions could be scored here: they have text, and no rewards of their own. */
export function unscored({ solutions }: ForeignProblem): number {
  return solutions
    .slice(0, LIMITS.maxLanes)
    .filter(
      ({ steps, prmScore }) =>
        steps.length > 0 && prmScore === null && steps.every(({ reward }) => reward === null),
    ).length;
}
