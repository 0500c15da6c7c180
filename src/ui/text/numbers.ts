/** A step's reward: always two decimals, so that columns line up. */
export function formatReward(value: number): string {
  return value.toFixed(2);
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
