import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineFault } from '../../../src/domain/fault.ts';
import { HUB_ID, lookUp } from '../../../src/models/look-up.ts';

const COMMIT = 'c0ffee'.padEnd(40, '0');
const SHA256 = 'ab'.repeat(32);
const SHA1 = 'cd'.repeat(20);

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers by path and query; anything else is not there. */
let replies: Record<string, Reply>;
let asked: IncomingMessage[];
let server: Server;
let hub: string;

const json =
  (value: unknown, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    response.writeHead(code, headers).end('{"error":"no"}');

const ABOUT = '/api/models/owner/name/revision/main';
const TREE = `/api/models/owner/name/tree/${COMMIT}?recursive=true`;
const small = (path: string, size: unknown = 10) => ({ type: 'file', path, size, oid: SHA1 });
const large = (path: string, size = 99) => ({
  type: 'file',
  path,
  size: 134,
  oid: SHA1,
  lfs: { oid: SHA256, size, pointerSize: 134 },
});

beforeEach(async () => {
  asked = [];
  replies = { [ABOUT]: json({ sha: COMMIT }), [TREE]: json([]) };
  server = createServer((request, response) => {
    asked.push(request);
    (replies[request.url ?? ''] ?? status(404))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const look = (id = 'owner/name', revision = 'main', signal = new AbortController().signal) =>
  lookUp(hub, id, revision, signal);

/** The fault that looking up ends with. */
async function faultOf(looking: Promise<unknown>): Promise<EngineFault> {
  const error = await looking.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EngineFault)) throw new Error('there was no fault', { cause: error });
  return error;
}

describe('a model on the hub', () => {
  it('has a commit and files with digests: git’s of small ones, sha256 of large ones', async () => {
    replies[ABOUT] = json({
      sha: COMMIT,
      config: { architectures: ['Qwen2ForCausalLM'] },
      cardData: { license: 'apache-2.0' },
    });
    replies[TREE] = json([
      { type: 'directory', path: 'onnx', size: 0, oid: SHA1 },
      small('config.json'),
      small('README.md'),
      large('tokenizer.json'),
      large('onnx/model_q4.onnx', 5_000_000_000),
      large('model.safetensors'),
    ]);
    expect(await look()).toEqual({
      commit: COMMIT,
      files: [
        { path: 'config.json', bytes: 10, gitSha1: SHA1 },
        { path: 'tokenizer.json', bytes: 99, sha256: SHA256 },
        { path: 'onnx/model_q4.onnx', bytes: 5_000_000_000, sha256: SHA256 },
      ],
      licence: 'apache-2.0',
      converted: null,
      architecture: 'Qwen2ForCausalLM',
    });
  });

  it('brings what our converter wrote beside it, unless that is too long to be ours', async () => {
    replies[`/owner/name/resolve/${COMMIT}/steplight.json`] = json({ version: 1 });
    replies[TREE] = json([{ ...small('steplight.json'), size: 99_999 }]);
    expect(await look()).toMatchObject({ converted: { version: 1 }, files: [] });
    replies[TREE] = json([{ ...small('steplight.json'), size: 100_000 }]);
    expect(await look()).toMatchObject({ converted: null });
  });

  it('is looked up without cookies or referrer, at the commit that was found', async () => {
    await look();
    expect(asked.map(({ url }) => url)).toEqual([ABOUT, TREE]);
    for (const { headers } of asked) {
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('referer');
      expect(headers).not.toHaveProperty('authorization');
    }
  });

  it('is looked up at a revision, whatever it is called', async () => {
    replies['/api/models/owner/name/revision/refs%2Fpr%2F1'] = json({ sha: COMMIT });
    expect((await look('owner/name', 'refs/pr/1')).commit).toBe(COMMIT);
  });

  it('may state its licence as a tag, or not at all', async () => {
    replies[ABOUT] = json({ sha: COMMIT, tags: ['onnx', 'license:mit'] });
    expect(await look()).toMatchObject({ licence: 'mit', architecture: null });
    replies[ABOUT] = json({ sha: COMMIT, tags: 'license:mit', cardData: { license: 7 }, config: [] });
    expect(await look()).toMatchObject({ licence: null, architecture: null });
  });
});

describe('pages', () => {
  it('are followed to the last', async () => {
    const second = `${TREE}&cursor=2`;
    replies[TREE] = json([small('config.json')], {
      link: `<${hub}/first>; rel="first", <${hub}${second}>; rel="next"`,
    });
    replies[second] = json([small('tokenizer_config.json')]);
    expect((await look()).files.map(({ path }) => path)).toEqual(['config.json', 'tokenizer_config.json']);
  });

  it('of another host are not', async () => {
    for (const other of ['https://example.test/x', `${hub}0/x`, '/x']) {
      replies[TREE] = json([small('config.json')], { link: `<${other}>; rel="next"` });
      expect((await look()).files).toHaveLength(1);
    }
    expect(asked).toHaveLength(6);
  });

  it('without end are not followed for ever', async () => {
    replies[TREE] = json([], { link: `<${hub}${TREE}>; rel="next"` });
    await look();
    expect(asked.length).toBeLessThan(30);
  });
});

describe('a file is left out', () => {
  it.each([
    ['that would leave the folder', small('../config.json')],
    ['that would leave it from below', small('onnx/../../config.json')],
    ['at an absolute path', small('/config.json')],
    ['at an address', large('https://example.test/onnx/model.onnx')],
    ['with a query', small('config.json?download=1')],
    ['with an encoded path', small('onnx%2f..%2fconfig.json')],
    ['with a backslash', small('..\\config.json')],
    ['of no size', small('config.json', null)],
    ['of a negative size', small('config.json', -1)],
    ['of half a byte', small('config.json', 1.5)],
    ['of a size that is text', small('config.json', '10')],
    ['without a digest', { type: 'file', path: 'config.json', size: 10 }],
    ['with a digest of another kind', { ...small('config.json'), oid: SHA256 }],
    ['with a digest in capitals', { ...small('config.json'), oid: SHA1.toUpperCase() }],
    ['with a large file’s digest that is none', { ...large('tokenizer.json'), lfs: { oid: 'x', size: 1 } }],
    ['of a large file without a size that is one', large('tokenizer.json', -5)],
    ['that is a folder', { ...small('config.json'), type: 'directory' }],
    ['that is nothing', null],
    ['that is text', 'config.json'],
  ])('%s', async (_, entry) => {
    replies[TREE] = json([entry, small('generation_config.json')]);
    expect((await look()).files.map(({ path }) => path)).toEqual(['generation_config.json']);
  });

  it('whose size is beyond numbers', async () => {
    replies[TREE] = (_, response) =>
      response.end(`[{"type":"file","path":"config.json","size":1e999,"oid":"${SHA1}"}]`);
    expect((await look()).files).toEqual([]);
  });
});

describe('says what to do', () => {
  it.each<[string, Reply, RegExp]>([
    ['gated', status(401, { 'x-error-code': 'GatedRepo' }), /owner\/name is gated.*licence must be accepted/],
    ['without such a revision', status(404, { 'x-error-code': 'RevisionNotFound' }), /no such revision/],
    ['not there, or private', status(401), /no public model owner\/name/],
    ['forbidden', status(403), /no public model owner\/name/],
    ['missing', status(404), /no public model owner\/name/],
    ['asked for too often', status(429), /too many requests.*Wait a minute/],
    ['of a broken hub', status(500), /status 500/],
    ['described in another language', (_, response) => response.end('<html>'), /could not be read/],
    ['described by nothing', json(null), /unknown form/],
    ['without a commit', json({}), /unknown form/],
    ['with a commit that is none', json({ sha: '../main' }), /unknown form/],
  ])('where a model is %s', async (_, reply, message) => {
    replies[ABOUT] = reply;
    const fault = await faultOf(look());
    expect(fault.kind).toBe('files');
    expect(fault.message).toMatch(message);
  });

  it.each<[string, Reply, RegExp]>([
    ['not a list', json({ files: [] }), /unknown form/],
    ['asked for too often', status(429), /too many requests/],
    ['cut off', (_, response) => response.end('[{"type":'), /could not be read/],
  ])('where the list of files is %s', async (_, reply, message) => {
    replies[TREE] = reply;
    expect(await faultOf(look())).toMatchObject({
      kind: 'files',
      message: expect.stringMatching(message) as string,
    });
  });

  it('where the hub cannot be reached', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect((await faultOf(look())).message).toMatch(/could not be reached.*bundled ones, work without it/);
  });

  it.each([
    '',
    'name',
    'owner/name/x',
    '../x',
    'owner/..',
    '.owner/x',
    'o w/x',
    'https://h/x',
    'a/b?c',
    'a/b#c',
    'ö/x',
  ])('where “%s” is no id, and asks nothing', async (id) => {
    expect((await faultOf(look(id))).message).toContain(
      id === '' ? 'Type the id of a model' : `“${id}” is no model id`,
    );
    expect(asked).toEqual([]);
    expect(HUB_ID.test(id)).toBe(false);
  });
});

describe('a cancelled search', () => {
  it('ends, before an answer and within one', async () => {
    for (const answer of [
      () => undefined,
      (_: unknown, response: ServerResponse) => response.write('{"sha":'),
    ]) {
      const abort = new AbortController();
      replies[ABOUT] = (request, response) => {
        answer(request, response);
        setTimeout(() => abort.abort(), 100);
      };
      expect((await faultOf(look('owner/name', 'main', abort.signal))).kind).toBe('cancelled');
    }
  });
});
