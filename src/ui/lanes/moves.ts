import type { StepPlace } from '../state/playground.svelte.ts';

/**
 * Where a key leads from a step: up and down within a lane, left and right to the neighbouring lanes (those without
 * steps are passed over), Home and End to the ends of a lane. `null` if the key is none of these or leads nowhere.
 */
export function neighbour(
  key: string,
  from: StepPlace,
  lanes: readonly number[],
  stepsOf: (lane: number) => number,
): StepPlace | null {
  const steps = stepsOf(from.lane);
  switch (key) {
    case 'ArrowDown':
      return from.step + 1 < steps ? { ...from, step: from.step + 1 } : null;
    case 'ArrowUp':
      return from.step > 0 ? { ...from, step: from.step - 1 } : null;
    case 'Home':
      return { ...from, step: 0 };
    case 'End':
      return { ...from, step: Math.max(0, steps - 1) };
    case 'ArrowRight':
    case 'ArrowLeft': {
      const direction = key === 'ArrowRight' ? 1 : -1;
      for (let i = lanes.indexOf(from.lane) + direction; i >= 0 && i < lanes.length; i += direction) {
        const count = stepsOf(lanes[i]!);
        if (count > 0) return { lane: lanes[i]!, step: Math.min(from.step, count - 1) };
      }
      return null;
    }
    default:
      return null;
  }
}
