import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isCompressible } from '../server.mjs';
import { root } from '../run.mjs';

/** Not worth a second file below this. */
const minimumBytes = 1_000;

/** From here on, the best quality takes three times as long for 3% less. */
const largeBytes = 4_000_000;

const isLarge = (content: Buffer): boolean => content.byteLength >= largeBytes;

const cacheFolder = path.join(root, 'node_modules/.cache/steplight/compressed');

const encoders = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isLarge(content) ? 6 : 9,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
      },
    }),
  gz: (content: Buffer) => promisify(gzip)(content, { level: isLarge(content) ? 6 : 9 }),
};

/** Compressing the runtime takes seconds and gives the same every time: results are kept by content. */
async function compress(content: Buffer, kind: keyof typeof encoders): Promise<Buffer> {
  const key = createHash('sha256').update(content).digest('hex');
  const cached = path.join(cacheFolder, `${key}.${kind}`);
  const known = await readFile(cached).catch(() => null);
  if (known !== null && known.byteLength > 0) return known;
  const packed = await encoders[kind](content);
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(cached, packed);
  return packed;
}

/** Puts a .br and a .gz beside each text and WebAssembly file. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !isCompressible(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file);
    if (content.byteLength < minimumBytes) continue;
    await Promise.all(
      (['br', 'gz'] as const).map(async (kind) => {
        await writeFile(`${file}.${kind}`, await compress(content, kind));
      }),
    );
  }
}
