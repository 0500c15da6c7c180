import { IMPORTED } from './imported.ts';
import type { RunModels } from './run.ts';

/**
 * Why a run cannot go on with other models than it was made with, in words; `null` if they are the same. Revisions and
 * weights may differ: a backend has its own. Data that somebody opened was written by nobody here, and may be judged by
 * whoever is loaded.
 */
export function otherModels(run: RunModels, loaded: RunModels): string | null {
  if (run.generator.id === IMPORTED) return null;
  const roles = [
    ['generator', run.generator, loaded.generator],
    ['PRM', run.prm, loaded.prm],
    ['ORM', run.orm, loaded.orm],
  ] as const;
  const other = roles.find(([, made, now]) => (made?.id ?? null) !== (now?.id ?? null));
  if (other === undefined) return null;
  const [role, made, now] = other;
  return `This run was made with ${made === null ? `no ${role}` : `“${made.id}” as its ${role}`}, and ${now === null ? 'none' : `“${now.id}”`} is chosen now: scores of the two would stand side by side as if they were one. Change the models back, or press Run for a run of its own.`;
}
