/** Parts of the page that an embedding page may leave out. */
export const PARTS = ['controls', 'lanes', 'charts'] as const;
export type Part = (typeof PARTS)[number];

/** How an embedded page looks: what is left out, and its colours. */
export interface FrameOptions {
  readonly hidden: ReadonlySet<Part>;
  readonly theme: 'auto' | 'light' | 'dark';
}

export const WHOLE_PAGE: FrameOptions = { hidden: new Set(), theme: 'auto' };

/** Reads `hide=controls,charts&theme=dark` out of a hash; anything else in it is left alone. */
export function readFrameOptions(hash: string): FrameOptions {
  const parameters = new URLSearchParams(hash.slice(0, 100_000).replace(/^#/, ''));
  const wanted = new Set((parameters.get('hide') ?? '').split(','));
  const theme = parameters.get('theme');
  return {
    hidden: new Set(PARTS.filter((part) => wanted.has(part))),
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}

/** The options as the end of a hash, beginning with "&"; empty if all are as usual. */
export function writeFrameOptions({ hidden, theme }: FrameOptions): string {
  const shown = PARTS.filter((part) => hidden.has(part));
  return `${shown.length === 0 ? '' : `&hide=${shown.join(',')}`}${theme === 'auto' ? '' : `&theme=${theme}`}`;
}
