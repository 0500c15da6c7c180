/** `node tools/icons.mjs`: draws public/icons/*.png from public/icon.svg, for systems that take no SVG. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { root } from './run.mjs';

const svg = (await readFile(path.join(root, 'public/icon.svg'))).toString('base64');
const folder = path.join(root, 'public/icons');
await mkdir(folder, { recursive: true });
const browser = await launchBrowser('wasm');
for (const { name, size, margin, background } of [
  { name: 'icon-192', size: 192, margin: 0, background: 'transparent' },
  { name: 'icon-512', size: 512, margin: 0, background: 'transparent' },
  // A mask may cut everything outside a circle of 80%.
  { name: 'maskable-512', size: 512, margin: 110, background: '#f4f5f7' },
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<body style="margin:0;background:${background}"><img src="data:image/svg+xml;base64,${svg}" style="display:block;width:${size - 2 * margin}px;padding:${margin}px"></body>`,
  );
  await writeFile(path.join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
