import { FIRST_MODEL } from '../../domain/model-choice.ts';
import type { BundledModel } from '../../session/session.svelte.ts';

/** Bundled models that can do everything by themselves; a choice only if there is more than one. */
export function tiersOf(bundled: readonly BundledModel[]): readonly BundledModel[] {
  const tiers = bundled.filter(({ roles }) => roles.length === 3);
  return tiers.length > 1 ? tiers : [];
}

/** The tier that goes further than the first; `null` where there is none. */
export function furtherTier(bundled: readonly BundledModel[]): BundledModel | null {
  return tiersOf(bundled).find(({ id }) => id !== FIRST_MODEL) ?? null;
}

/** What a tier can do, in a plain sentence. */
export function rangeOf({ id, range }: BundledModel): string {
  return (
    range ??
    (id === FIRST_MODEL
      ? 'Short word problems of the kinds that it was trained on. Quick everywhere.'
      : 'Problems in words, as people write them. Larger and slower.')
  );
}
