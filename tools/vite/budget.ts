import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Most bytes of gzipped JavaScript that a page may load before the person does anything. */
export const initialScriptBudgets: Readonly<Record<string, number>> = {
  'index.html': 150_000,
  'embed.html': 60_000,
};

type Bundle = Rolldown.OutputBundle;

/** The script of a page and everything that it imports statically, directly or not. */
export function initialChunks(bundle: Bundle, page: string): Rolldown.OutputChunk[] {
  const seen = new Map<string, Rolldown.OutputChunk>();
  const visit = (fileName: string): void => {
    const item = bundle[fileName];
    if (item?.type !== 'chunk' || seen.has(fileName)) return;
    seen.set(fileName, item);
    item.imports.forEach(visit);
  };
  for (const item of Object.values(bundle)) {
    if (item.type !== 'chunk' || !item.isEntry) continue;
    if (item.facadeModuleId?.replaceAll('\\', '/').endsWith(`/${page}`)) visit(item.fileName);
  }
  return [...seen.values()];
}

/** Prints what a page's first scripts weigh, and fails the build where it is too much. */
export function scriptBudget(): Plugin {
  return {
    name: 'steplight:script-budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [page, budget] of Object.entries(initialScriptBudgets)) {
          const chunks = initialChunks(bundle, page);
          if (chunks.length === 0) this.error(`${page} has a script budget but no script in the build.`);
          const bytes = chunks.reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0);
          const kilobytes = (value: number): string => `${(value / 1000).toFixed(1)} kB`;
          const line = `${page}: ${kilobytes(bytes)} of initial JavaScript (gzip), at most ${kilobytes(budget)}`;
          if (bytes > budget) this.error(`Over budget: ${line}.`);
          this.info(line);
        }
      },
    },
  };
}
