/** Builds the site where dist/ is missing or was made from other sources. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { PlainError, root, runPackage } from './run.mjs';

/** Everything that the build reads. */
const inputs = [
  'index.html',
  'embed.html',
  'src',
  'public',
  'static-models',
  'tools/vite',
  'tools/csp.mjs',
  'vite.config.ts',
  'svelte.config.js',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.page.json',
  'tsconfig.worker.json',
];

/** Where the build leaves the hash of its inputs. The server does not serve hidden files. */
export const stampFile = 'dist/.inputs-sha256';

/**
 * A hash over names and contents of all files under some paths.
 * @param {string} folder
 * @param {readonly string[]} paths
 */
export function hashFiles(folder, paths) {
  const hash = createHash('sha256');
  const visit = (/** @type {string} */ relative) => {
    const absolute = path.join(folder, relative);
    if (!existsSync(absolute)) return;
    if (statSync(absolute).isDirectory()) {
      for (const name of readdirSync(absolute).sort()) visit(`${relative}/${name}`);
      return;
    }
    const content = readFileSync(absolute);
    hash.update(`${relative}\0${content.byteLength}\0`).update(content);
  };
  paths.forEach(visit);
  return hash.digest('hex');
}

export function hashInputs() {
  return hashFiles(root, inputs);
}

function isFresh() {
  const stamp = path.join(root, stampFile);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashInputs();
}

/** @param {{ force?: boolean }} [options] */
export async function ensureBuilt({ force = false } = {}) {
  if (!force && isFresh()) return;
  console.log('Building the site ...');
  if ((await runPackage('vite/bin/vite.js', ['build'])) !== 0) {
    throw new PlainError('The site could not be built: see the messages above.');
  }
}
