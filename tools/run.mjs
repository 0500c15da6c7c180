/** Small helpers for the scripts in this folder. Only Node's own modules: they run before anything is installed. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** An error whose message is all that a person needs to see. */
export class PlainError extends Error {}

/**
 * Runs a command with its output on this terminal.
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<number>} The exit status; 127 where the command does not exist.
 */
export function run(command, parameters, { env = {}, shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd: root,
      stdio: 'inherit',
      shell,
      env: { ...process.env, ...env },
    });
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a command and gives what it printed; never fails.
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ echo?: boolean, timeoutMs?: number, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture(command, parameters, { echo = false, timeoutMs, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    });
    let output = '';
    child.stdout.on('data', (/** @type {Buffer} */ data) => {
      output += data.toString();
      if (echo) process.stdout.write(data);
    });
    child.stderr.on('data', (/** @type {Buffer} */ data) => {
      output += data.toString();
      if (echo) process.stderr.write(data);
    });
    child.once('error', () => resolve({ code: 127, output }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs the command-line program of an installed package with this Node.
 * @param {string} file Path under node_modules, such as "vite/bin/vite.js".
 * @param {readonly string[]} parameters
 * @param {NodeJS.ProcessEnv} [env]
 */
export function runPackage(file, parameters, env = {}) {
  return run(process.execPath, [path.join(root, 'node_modules', file), ...parameters], { env });
}

/** Reports a failure of a script's main function in words, and sets the exit status. */
export function reportFailure(/** @type {unknown} */ error) {
  console.error(error instanceof PlainError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
