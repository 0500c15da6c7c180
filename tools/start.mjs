/** `npm start`: installs, builds, serves and opens the site; each only as far as it is needed. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { PlainError, reportFailure, root } from './run.mjs';
import { closeOnSignal, startServer } from './server.mjs';

const help = `Usage: npm start -- [options]
  --port <n>   port to serve on (default: 4173, or the next free one)
  --no-open    do not open a browser
  --isolate    cross-origin isolate the page (COOP and COEP), which lets WebAssembly use threads`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        isolate: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const port = values.port === undefined ? null : Number(values.port);
    if (port !== null && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
      throw new Error(`"${values.port ?? ''}" is not a port: a whole number from 1 to 65535 is expected.`);
    }
    return { port, open: !values['no-open'], isolate: values.isolate, help: values.help };
  } catch (error) {
    throw new PlainError(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
}

/** Whether a person sits before a screen that this machine draws on. */
function hasDesktop() {
  const { env } = process;
  if (env['CI'] || env['SSH_CONNECTION'] || !process.stdout.isTTY) return false;
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}

function openBrowser(/** @type {string} */ url) {
  const [command, ...parameters] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url];
  const child = spawn(command, parameters, { stdio: 'ignore', detached: true });
  // The address is printed anyway.
  child.on('error', () => {});
  child.unref();
}

async function main() {
  const options = readOptions();
  if (options.help) {
    console.log(help);
    return;
  }
  await ensureInstalled();
  await ensureBuilt();
  const server = await startServer({
    root: path.join(root, 'dist'),
    port: options.port ?? 4173,
    // A port that somebody asked for is that port or an error.
    tries: options.port === null ? 50 : 1,
    isolate: options.isolate,
  }).catch((/** @type {unknown} */ error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PlainError(`The port could not be opened (${code}). Try another one: npm start -- --port 8080`);
  });
  closeOnSignal(server);
  console.log(`\nSteplight is at ${server.url}\nPress Ctrl+C to end it.`);
  if (options.open && hasDesktop()) openBrowser(server.url);
}

await main().catch(reportFailure);
