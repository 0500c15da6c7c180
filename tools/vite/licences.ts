import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly home: string;
  readonly text: string | null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The folder of the package that a module is from, or `null` for a module of ours. */
export function packageFolder(moduleId: string): string | null {
  const match = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(moduleId);
  return match?.[1] ?? null;
}

function readPackage(folder: string): Package | null {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return null;
  const facts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const { repository } = facts;
  const address =
    typeof repository === 'object' && repository !== null && 'url' in repository ? repository.url : '';
  const licenceFile = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  return {
    name: textOf(facts['name']),
    version: textOf(facts['version']),
    licence: textOf(facts['license']),
    home: textOf(facts['homepage']) || textOf(address) || textOf(repository),
    text: licenceFile === undefined ? null : readFileSync(path.join(folder, licenceFile), 'utf8').trim(),
  };
}

/** Notes which packages end up in the page and in the worker: it must be a plugin of both. */
export class LicenceNotes {
  readonly #folders = new Set<string>();

  plugin(): Plugin {
    return {
      name: 'steplight:licences',
      apply: 'build',
      generateBundle: (_options, bundle) => {
        for (const item of Object.values(bundle)) {
          if (item.type !== 'chunk') continue;
          for (const id of Object.keys(item.modules)) {
            const folder = packageFolder(id);
            if (folder !== null) this.#folders.add(folder);
          }
        }
      },
    };
  }

  toMarkdown(): string {
    const packages = [...this.#folders]
      .map(readPackage)
      .filter((found) => found !== null)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const sections = packages.map(({ name, version, licence, home, text }) => {
      const body = text === null ? `See ${home}` : `\`\`\`\n${text}\n\`\`\``;
      return `## ${name} ${version} (${licence})\n\n${body}\n`;
    });
    return ['# Licences of the libraries in this site\n', ...sections].join('\n');
  }
}
