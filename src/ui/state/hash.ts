/** What the part of the address behind "#" asks the page to do. Other parts (a shared run) are not ours. */
export type HashMode = { readonly kind: 'tour'; readonly stop: number } | { readonly kind: 'present' };

/** Reads the address; anything that is not exactly one of our modes is `null`. Stops count from 0 here, from 1 there. */
export function modeOf(hash: string): HashMode | null {
  if (hash === '#present') return { kind: 'present' };
  const tour = /^#tour(?:=([1-9]))?$/.exec(hash);
  return tour === null ? null : { kind: 'tour', stop: Number(tour[1] ?? '1') - 1 };
}

/** Writes a mode into the address, or takes it away, but never over something that is not ours. */
export function writeMode(hash: '#present' | `#tour=${number}` | ''): void {
  if (location.hash !== '' && modeOf(location.hash) === null) return;
  history.replaceState(history.state, '', hash === '' ? location.pathname + location.search : hash);
}
