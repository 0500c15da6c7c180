import { EngineFault } from '../domain/fault.ts';
import type { VerifierCanary } from '../domain/model-choice.ts';
import { describe } from '../runtime/describe-error.ts';
import { checkCanary, ranksAbove } from '../scoring/check-canary.ts';
import { scoreSolutions } from '../scoring/score-solutions.ts';
import type { Verifier } from '../scoring/verifier.ts';
import type { LoadedModels } from './loaded-models.ts';

/** What a judge must put in order that comes without a canary of its own. */
const PLAIN_CANARY: VerifierCanary = {
  problem: 'Sara has 4 boxes with 12 pencils each. She gives away 9 pencils. How many pencils are left?',
  right: [
    'There are 4 * 12 = 48 pencils in the boxes.',
    'After giving away 9, there are 48 - 9 = 39 pencils left.',
    'Answer: 39',
  ],
  wrong: [
    'There are 4 * 12 = 46 pencils in the boxes.',
    'After giving away 9, there are 46 - 9 = 37 pencils left.',
    'Answer: 37',
  ],
  scores: null,
};

/**
 * Runs what is known of each model: rewards where they are known, else the order of a right and a wrong solution.
 *
 * @returns what the person should know, in sentences
 * @throws EngineFault of kind `gpu` if a GPU computes wrongly, `files` if the processor does
 */
export async function checkModels(models: LoadedModels): Promise<readonly string[]> {
  const { generator, prm, orm, probed } = models;
  const onGpu = probed.backend === 'webgpu';
  const fail = (wrong: string): never => {
    throw onGpu
      ? new EngineFault('gpu', `This GPU computes wrongly: ${wrong}.`)
      : new EngineFault('files', `The model computes wrongly here: ${wrong}. Reload the page.`);
  };
  const wrong = await checkGenerator(generator).catch((error: unknown) => describe(error));
  if (wrong !== null) fail(wrong);

  const notes: string[] = [];
  for (const judge of [prm, orm]) {
    if (judge?.kind !== 'apart') continue;
    const canary = judge.canary ?? PLAIN_CANARY;
    const result = await checkVerifier(judge.verifier, canary).catch((error: unknown): Checked => ({
      kind: 'wrong',
      why: describe(error),
    }));
    if (result.kind === 'wrong') fail(`${judge.title}: ${result.why}`);
    if (result.kind === 'unordered')
      notes.push(
        onGpu
          ? `${judge.title} ranks a known wrong solution above a right one on this GPU. Choose WASM as the backend: if it ranks them rightly there, this GPU scores wrongly.`
          : `${judge.title} ranks a known wrong solution above a right one: do not trust its scores.`,
      );
  }
  return notes;
}

async function checkGenerator({
  model,
  fused,
  canary,
  prompt,
}: LoadedModels['generator']): Promise<string | null> {
  const { decoder, tokenizer } = model;
  if (fused === null || canary === null || canary.scores === null) {
    const { logits } = await decoder.read(prompt(PLAIN_CANARY.problem), 1);
    return logits.every((logit) => Number.isFinite(logit))
      ? null
      : 'a known problem gave logits that are no numbers';
  }
  const solutions = [canary.right, canary.wrong];
  const [right, wrong] = await scoreSolutions(decoder, fused, prompt(canary.problem), solutions, (text) =>
    tokenizer.encode(text),
  );
  return right === undefined || wrong === undefined
    ? 'a known solution got no score'
    : checkCanary(canary.scores, right.steps, wrong.steps);
}

type Checked =
  | { readonly kind: 'right' }
  | { readonly kind: 'unordered' }
  | { readonly kind: 'wrong'; readonly why: string };

async function checkVerifier(
  verifier: Verifier,
  { problem, right, wrong, scores }: VerifierCanary,
): Promise<Checked> {
  const score = async (steps: readonly string[]): Promise<readonly number[]> => {
    try {
      return verifier.adapter.reads === 'steps'
        ? await verifier.judgeSteps(0, problem, steps)
        : [await verifier.judge(0, problem, steps)];
    } finally {
      verifier.release();
    }
  };
  const [ofRight, ofWrong] = [await score(right), await score(wrong)];
  if (scores !== null) {
    const why = checkCanary(scores, ofRight, ofWrong);
    return why === null ? { kind: 'right' } : { kind: 'wrong', why };
  }
  return ranksAbove(ofRight, ofWrong) ? { kind: 'right' } : { kind: 'unordered' };
}
