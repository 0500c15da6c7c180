import type { Plugin } from 'vite';
import { contentSecurityPolicy } from '../csp.mjs';

/** Puts the Content-Security-Policy into the built pages, for hosts that send no header. */
export function cspMeta(): Plugin {
  return {
    name: 'steplight:csp-meta',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        {
          tag: 'meta',
          attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}
