import { scoreSolutions } from '../scoring/score-solutions.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { ScoredSolution } from './protocol.ts';

/** Whether all judges that there are give their rewards with the generator's logits. */
export function isFused({ generator, prm, orm }: LoadedModels): boolean {
  return generator.fused !== null && prm?.kind !== 'apart' && orm?.kind !== 'apart';
}

/**
 * Rewards of finished solutions by the loaded judges: in one padded pass by a fused one, else solution by solution.
 *
 * @param between called between two solutions; what it throws ends the scoring
 * @throws TooLong if a solution does not fit in a judge's context
 * @returns for each solution no step rewards without a PRM, and no outcome without an ORM
 */
export async function scoreWith(
  { generator, prm, orm }: LoadedModels,
  problem: string,
  solutions: readonly (readonly string[])[],
  between: () => Promise<void>,
): Promise<readonly ScoredSolution[]> {
  const { fused, model, prompt } = generator;
  const together =
    fused !== null && (prm?.kind === 'fused' || orm?.kind === 'fused')
      ? await scoreSolutions(model.decoder, fused, prompt(problem), solutions, (text) =>
          model.tokenizer.encode(text),
        )
      : null;
  const scored: ScoredSolution[] = [];
  for (const [index, lines] of solutions.entries()) {
    const own = together?.[index];
    const steps =
      prm?.kind === 'apart'
        ? await prm.verifier.judgeSteps(index, problem, lines)
        : prm === null
          ? []
          : own!.steps;
    let outcome = orm?.kind === 'fused' ? own!.outcome : null;
    if (orm?.kind === 'apart' && lines.length > 0) outcome = await orm.verifier.judge(index, problem, lines);
    scored.push({ steps, outcome });
    for (const judge of [prm, orm]) if (judge?.kind === 'apart') judge.verifier.forget(index);
    await between();
  }
  for (const judge of [prm, orm]) if (judge?.kind === 'apart') judge.verifier.release();
  return scored;
}
