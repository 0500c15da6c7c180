import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { zip } from '../../../tools/zip.mjs';

const files = [
  { name: 'a/text.txt', content: Buffer.from('again and again '.repeat(500)) },
  { name: 'a/ünïcode ½.bin', content: Buffer.from([0, 255, 1, 254]) },
  { name: 'empty', content: Buffer.alloc(0) },
];

describe('a zip archive', () => {
  it('is the same for the same content, and smaller than it', () => {
    expect(zip(files).equals(zip(files))).toBe(true);
    expect(zip(files).length).toBeLessThan(1_000);
  });

  it.runIf(spawnSync('unzip', ['-v']).status === 0 || spawnSync('python3', ['-V']).status === 0)(
    'unpacks with other programs',
    () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'steplight-zip-'));
      try {
        const file = path.join(folder, 'test.zip');
        writeFileSync(file, zip(files));
        const unpacked = spawnSync('python3', ['-m', 'zipfile', '-e', file, folder]);
        if (unpacked.status !== 0) expect(spawnSync('unzip', [file, '-d', folder]).status).toBe(0);
        for (const { name, content } of files) {
          expect(readFileSync(path.join(folder, name)).equals(content), name).toBe(true);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
