/** Installs the dependencies where they are missing or differ from the lock file. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PlainError, root, run } from './run.mjs';

const minimumNode = [20, 19];

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 */

/** @returns {Record<string, LockedPackage> | null} */
function readLock(/** @type {string} */ file) {
  try {
    const lock = /** @type {{ packages?: Record<string, LockedPackage> }} */ (
      JSON.parse(readFileSync(file, 'utf8'))
    );
    return lock.packages ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether what npm recorded as installed covers what the lock file asks for. Comparing contents rather than dates
 * survives a checkout, a copy and a restored cache. Optional packages may be absent: they are for other systems.
 * @param {Record<string, LockedPackage> | null} wanted
 * @param {Record<string, LockedPackage> | null} installed
 */
export function matchesLock(wanted, installed) {
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([name, { version, optional, devOptional }]) => {
    if (name === '') return true;
    const found = installed[name];
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version;
  });
}

function isInstalled() {
  const installed = readLock(path.join(root, 'node_modules', '.package-lock.json'));
  return (
    matchesLock(readLock(path.join(root, 'package-lock.json')), installed) &&
    Object.keys(installed ?? {}).every(
      (name) => installed?.[name]?.optional || existsSync(path.join(root, name)),
    )
  );
}

export async function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = minimumNode;
  if (major < needMajor || (major === needMajor && minor < needMinor)) {
    throw new PlainError(
      `Steplight needs Node ${minimumNode.join('.')} or newer; this is ${process.versions.node}.\n` +
        'Install a current version from https://nodejs.org and try again.',
    );
  }
  if (isInstalled()) return;
  console.log('Installing dependencies (npm ci) ...');
  const parameters = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  // npm tells its scripts where it is; npm.cmd on Windows starts only through a shell.
  const npm = process.env['npm_execpath'];
  const code =
    npm !== undefined && /\.c?js$/.test(npm)
      ? await run(process.execPath, [npm, ...parameters])
      : await run('npm', parameters, { shell: process.platform === 'win32' });
  if (code !== 0) {
    throw new PlainError(
      'The dependencies could not be installed: see the messages of npm above. Is there a network connection?',
    );
  }
}
