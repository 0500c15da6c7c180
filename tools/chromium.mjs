/** Finds a Chromium on this machine, or installs one with the system's package manager. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { capture, PlainError, run } from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** @returns {string[]} */
function usualPlaces() {
  const { env, platform } = process;
  if (platform === 'darwin') {
    return [
      'Chromium.app/Contents/MacOS/Chromium',
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ].flatMap((app) => [`/Applications/${app}`, path.join(env['HOME'] ?? '/', 'Applications', app)]);
  }
  if (platform === 'win32') {
    const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
    return folders.flatMap((folder) =>
      folder === undefined
        ? []
        : ['Chromium', 'Google\\Chrome', 'Microsoft\\Edge'].map((product) =>
            path.join(
              folder,
              product,
              'Application',
              product === 'Microsoft\\Edge' ? 'msedge.exe' : 'chrome.exe',
            ),
          ),
    );
  }
  const folders = [...(env['PATH'] ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  return names.flatMap((name) => folders.filter(Boolean).map((folder) => path.join(folder, name)));
}

function isExecutable(/** @type {string} */ file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Browsers that seem to be there, best first. */
export function chromiumCandidates() {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? [chosen] : [];
  return [...new Set(usualPlaces().filter(isExecutable))];
}

/** The first browser that really starts: some distributions ship a stub that only asks for a snap. */
async function workingChromium() {
  for (const file of chromiumCandidates()) {
    // On Windows `--version` opens a window instead of answering.
    if (process.platform === 'win32') return file;
    const { code, output } = await capture(file, ['--version', '--no-sandbox'], { timeoutMs: 60_000 });
    if (code === 0 && /Chromium|Chrome|Edge/.test(output)) return file;
  }
  return null;
}

/** @type {{ manager: string, commands: string[][] }[]} */
const installers = [
  {
    manager: 'apt-get',
    commands: [
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    ],
  },
  { manager: 'dnf', commands: [['dnf', 'install', '-y', 'chromium']] },
  { manager: 'pacman', commands: [['pacman', '-Sy', '--noconfirm', 'chromium']] },
  { manager: 'apk', commands: [['apk', 'add', 'chromium']] },
];

function isOnPath(/** @type {string} */ command) {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => isExecutable(path.join(folder, command)));
}

async function installChromium() {
  const installer = process.platform === 'linux' && installers.find(({ manager }) => isOnPath(manager));
  if (!installer) return;
  const needsSudo = process.getuid?.() !== 0;
  if (needsSudo && !isOnPath('sudo')) return;
  console.log(`No Chromium was found: installing it with ${installer.manager} ...`);
  for (const command of installer.commands) {
    const [program = '', ...parameters] = needsSudo ? ['sudo', ...command] : command;
    // A failed update of the package lists need not hinder the install.
    await run(program, parameters, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
  }
}

/** @returns {Promise<string>} Path of a Chromium that starts. */
export async function ensureChromium() {
  const found = await workingChromium();
  if (found !== null) return found;
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') {
    throw new PlainError(`CHROMIUM_PATH is "${chosen}", but no browser starts from there.`);
  }
  await installChromium();
  const installed = await workingChromium();
  if (installed !== null) return installed;
  throw new PlainError(
    'The end-to-end tests need Chromium (or Chrome, or Edge), and it could be neither found nor installed.\n' +
      'Install one, or set CHROMIUM_PATH to its executable, and try again.',
  );
}
