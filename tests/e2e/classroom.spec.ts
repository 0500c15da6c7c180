import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildClassroom, classroomZip } from '../../tools/build-classroom.mjs';
import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

/** The address that a server prints when it has started. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The server ended with code ${code}.`)));
    server.stdout?.on('data', (data: Buffer) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(data.toString()) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

test('the zip for a classroom unpacks, and its servers serve a page that solves a problem', async ({
  page,
  context,
}) => {
  await buildClassroom();
  const folder = await mkdtemp(path.join(tmpdir(), 'steplight-classroom-'));
  const servers: ChildProcess[] = [];
  try {
    const python = spawnSync('python3', ['-m', 'zipfile', '-e', classroomZip, folder]).status === 0;
    if (!python) {
      test.skip(
        spawnSync('unzip', ['-q', classroomZip, '-d', folder]).status !== 0,
        'nothing here unpacks a zip',
      );
    }
    const start = async (program: string, file: string): Promise<string> => {
      const server = spawn(program, [path.join(folder, 'steplight', file), python ? '41900' : '0']);
      servers.push(server);
      return addressOf(server);
    };
    if (python) {
      const address = await start('python3', 'serve.py');
      const script = await page.request.get(`${address}embed-host.js`);
      expect(script.headers()['content-type']).toMatch(/^text\/javascript/);
      expect((await page.request.get(`${address}assets/`)).status()).toBe(404);
    }
    const playground = new PlaygroundPage(page);
    await playground.open(await start(process.execPath, 'serve.mjs'));
    await playground.type(TYPED, { n: 2, answer: '30' });
    expect((await playground.run()).status).toEqual({ kind: 'complete' });

    const sheet = await context.newPage();
    await sheet.goto(`file://${path.join(folder, 'steplight/teacher-sheet.html')}`);
    expect(
      (await sheet.getByRole('heading', { level: 2 }).allInnerTexts()).filter((text) => /^\d\./.test(text)),
    ).toHaveLength(3);
    // One page of paper.
    const pages = (await sheet.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
    expect(pages.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  } finally {
    servers.forEach((server) => server.kill());
    await rm(folder, { recursive: true });
  }
});
