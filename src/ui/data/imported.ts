import { IMPORTED } from '../../domain/imported.ts';
import type { Run } from '../../domain/run.ts';

/** Whether a run's solutions come from somebody's data and not from a model. */
export function isImported(run: Run): boolean {
  return run.models.generator.id === IMPORTED;
}
