import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { contentSecurityPolicy } from '../csp.mjs';
import { root } from '../run.mjs';

/** Attributes by which a page fetches something, or sends something. */
const FETCHING = /^(?:src|srcset|poster|data|action|formaction|background|ping|manifest)$/;

/** An address that names a host or a scheme, and so may leave the site. */
const FOREIGN = /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i;

/** What a page does that the Content-Security-Policy forbids or would have to allow; empty if nothing. */
export function pageFaults(html: string): string[] {
  const faults: string[] = [];
  const text = html.replaceAll(/<!--[^]*?-->/g, '');
  for (const [, content = ''] of text.matchAll(/<style\b[^>]*>([^]*?)<\/style/gi)) {
    faults.push(`inline style “${content.trim().slice(0, 40)}”`);
  }
  for (const [, attributes = '', content = ''] of text.matchAll(/<script\b([^>]*)>([^]*?)<\/script/gi)) {
    if (content.trim() !== '') faults.push(`inline script “${content.trim().slice(0, 40)}”`);
    else if (!/\bsrc\s*=/i.test(attributes)) faults.push('a script without an address');
  }
  for (const [, tag = '', attributes = ''] of text.matchAll(
    /<([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi,
  )) {
    for (const [, name = '', ...values] of attributes.matchAll(
      /([\w:-]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
    )) {
      const attribute = name.toLowerCase();
      const value = values.join('');
      const here = `<${tag.toLowerCase()} ${attribute}="${value.slice(0, 60)}">`;
      if (/^on[a-z]/.test(attribute)) faults.push(`inline handler ${here}`);
      else if (attribute === 'style') faults.push(`inline style ${here}`);
      else if (attribute === 'srcdoc') faults.push(`a page in an attribute ${here}`);
      // A link that a person follows may lead anywhere; one that the browser follows may not.
      else if (
        (FETCHING.test(attribute) || (attribute === 'href' && !/^(?:a|area)$/i.test(tag))) &&
        FOREIGN.test(value)
      )
        faults.push(`another host ${here}`);
      else if (attribute === 'href' && /^\s*javascript:/i.test(value)) faults.push(`inline script ${here}`);
    }
  }
  return faults;
}

/** Addresses in a stylesheet that lead to another host. */
export function styleFaults(css: string): string[] {
  const text = css.replaceAll(/\/\*[^]*?\*\//g, '');
  return [...text.matchAll(/(?:url\(\s*|@import\s+)["']?((?:https?:|\/\/)[^"')\s]*)/gi)].map(
    ([, address = '']) => `another host ${address.slice(0, 60)}`,
  );
}

/** Whether a page states the policy, so that hosts without headers are bound by it, too. */
export function statesPolicy(html: string): boolean {
  const [head = ''] = html.split(/<(?:script|link)\b/i, 1);
  const stated = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(head)?.[1] ?? '';
  return stated.replaceAll(/&#39;|&#x27;|&apos;/g, "'") === contentSecurityPolicy;
}

/** Fails the build where a page lacks the policy, or has in it what the policy is there to forbid. */
export function pagePolicy(): Plugin {
  return {
    name: 'steplight:page-policy',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const faults: string[] = [];
        let pages = 0;
        for (const [name, item] of Object.entries(bundle)) {
          if (item.type !== 'asset' || !/\.(?:html|css)$/.test(name)) continue;
          const content = Buffer.from(item.source).toString('utf8');
          if (name.endsWith('.css')) {
            faults.push(...styleFaults(content).map((fault) => `${name}: ${fault}`));
            continue;
          }
          pages++;
          if (!statesPolicy(content))
            faults.push(`${name}: no Content-Security-Policy before its first script`);
          faults.push(...pageFaults(content).map((fault) => `${name}: ${fault}`));
        }
        // Pages that are copied as they are.
        const copied = path.join(root, 'public');
        for (const file of readdirSync(copied, { recursive: true, encoding: 'utf8' })) {
          if (!file.endsWith('.html')) continue;
          const content = readFileSync(path.join(copied, file), 'utf8');
          faults.push(...pageFaults(content).map((fault) => `public/${file}: ${fault}`));
          pages++;
        }
        if (faults.length > 0) this.error(`Pages against the policy:\n  ${faults.join('\n  ')}`);
        this.info(`policy: ${pages} pages, no inline script, no other host`);
      },
    },
  };
}
