import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPoolFile } from '../../../src/formats/pool-file.ts';
import { readRecordedIndex } from '../../../src/formats/recorded-index.ts';
import { parseRunFile } from '../../../src/formats/run-file.ts';

const folder = path.join(import.meta.dirname, '../../../public/recorded');
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

describe('the recorded files that the site brings along', () => {
  it.runIf(existsSync(path.join(folder, 'index.json')))('are those of the list, and can be read', () => {
    const index = readRecordedIndex(read('index.json'));
    if (!index.ok) throw new Error(index.message);
    for (const { file, problem } of index.value.runs) {
      const run = parseRunFile(read(file));
      expect(run, file).toMatchObject({ ok: true });
      expect(run.ok && run.value[0], file).toMatchObject({ type: 'started', problem: { text: problem } });
    }
  });

  it.runIf(existsSync(path.join(folder, 'pool.json')))('have a pool that can be read', () => {
    expect(readPoolFile(read('pool.json'))).toMatchObject({ ok: true });
  });
});
