/**
 * `npm run build:single`: makes dist-single/steplight.html, the whole site in one file, which opens from a disk without
 * a server and without a network: page, worker, ONNX Runtime, the bundled models and the recorded runs.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ensureInstalled } from './install.mjs';
import { PlainError, reportFailure, root, runPackage } from './run.mjs';
import { firstModel, readModelList } from './site-models.mjs';

/** Most bytes of the file. */
const budget = 30_000_000;

export const singleFile = path.join(root, 'dist-single/steplight.html');

/** @param {string} folder @param {string} prefix @returns {Promise<string[]>} */
async function filesBelow(folder, prefix) {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(root, folder), path.join(entry.parentPath, entry.name)))
    .map((file) => `${prefix}${file.split(path.sep).join('/')}`)
    .sort();
}

/** What the page fetches, by its path in the site, and where it comes from. */
async function inlinedFiles() {
  const ort = ['mjs', 'wasm'].map((type) => `ort-wasm-simd-threaded.asyncify.${type}`);
  return [
    ...ort.map((file) => ({ path: `ort/${file}`, from: `node_modules/onnxruntime-web/dist/${file}` })),
    ...(await filesBelow(`static-models/${firstModel}`, `static-models/${firstModel}/`)).map((file) => ({
      path: file,
      from: file,
    })),
    ...(await filesBelow('public/recorded', 'recorded/')).map((file) => ({
      path: file,
      from: `public/${file}`,
    })),
  ];
}

/** The model list of the file: it names the one that is inside. Others are too large for one file. */
async function modelList() {
  const list = await readModelList(path.join(root, 'static-models'));
  return JSON.stringify({ ...list, models: list.models.filter(({ id }) => id === firstModel) });
}

/** A script's or style's hash for the Content-Security-Policy. @param {string} text */
function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** No text may end the element that it stands in. @param {string} script */
function closedIn(script) {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

export async function buildSingle() {
  const config = path.join(root, 'tools/single/vite.config.ts');
  if ((await runPackage('vite/bin/vite.js', ['build', '--config', config])) !== 0) {
    throw new PlainError('The single file could not be built: see the messages above.');
  }
  const parts = path.join(root, 'dist-single/parts');
  const script = closedIn(await readFile(path.join(parts, 'page.js'), 'utf8'));
  const style = (await readFile(path.join(parts, 'page.css'), 'utf8'))
    // Every browser that has WebAssembly reads woff2.
    .replaceAll(/,\s*url\((?:"[^"]*"|[^)]*)\)\s*format\("(?:woff|truetype)"\)/g, '');
  const icon = await readFile(path.join(root, 'public/icon.svg'));
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval' blob:`,
    'worker-src blob:',
    // The worker reads the runtime's bytes from addresses that it made itself.
    'connect-src blob:',
    `style-src ${hashOf(style)}`,
    'img-src data: blob:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  let html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Steplight: every step judged, four ways of picking an answer</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon.toString('base64')}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>Steplight runs models in the browser and needs JavaScript. Allow it and open the file again.</noscript>
`;
  const inline = (/** @type {string} */ name, /** @type {string | Uint8Array} */ content) => {
    const packed = gzipSync(content, { level: 9 }).toString('base64');
    html += `<script type="application/octet-stream" id="inlined:${name}">${packed}</script>\n`;
  };
  inline('static-models/manifest.json', await modelList());
  for (const file of await inlinedFiles()) inline(file.path, await readFile(path.join(root, file.from)));
  // A module waits for the whole document, so that everything inlined is there.
  html += `<script type="module">${script}</script>\n</body>\n</html>\n`;
  const bytes = Buffer.byteLength(html);
  const line = `dist-single/steplight.html: ${(bytes / 1e6).toFixed(1)} MB, at most ${budget / 1e6} MB`;
  if (bytes > budget) throw new PlainError(`Over budget: ${line}.`);
  await writeFile(singleFile, html);
  await rm(parts, { recursive: true });
  console.log(line);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await ensureInstalled();
    await buildSingle();
  } catch (error) {
    reportFailure(error);
  }
}
