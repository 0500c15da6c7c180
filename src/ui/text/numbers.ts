/**
 * A step's reward: two decimals, so that columns line up, and a third near the ends, where two would round to certainty.
 * Only 1 itself prints as 1.00, and only 0 as 0.00.
 */
export function formatReward(value: number): string {
  if (value >= 1 || value <= 0) return value.toFixed(2);
  if (value >= 0.9995) return '>0.999';
  if (value < 0.0005) return '<0.001';
  return value.toFixed(value >= 0.995 || value < 0.005 ? 3 : 2);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

export function formatDuration(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** The level of the diverging scale in styles/tokens.css that a reward falls into. */
export function rewardLevel(reward: number | null): string {
  if (reward === null) return 'none';
  return String(Math.round(Math.min(1, Math.max(0, reward)) * 10));
}
