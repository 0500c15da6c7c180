import type { Run } from '../../domain/run.ts';

/** Stands where the model would be named that wrote a solution, or that scored it. */
export const IMPORTED = 'imported';

/** Whether a run's solutions come from somebody's data and not from a model. */
export function isImported(run: Run): boolean {
  return run.models.generator.id === IMPORTED;
}
