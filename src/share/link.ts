import { LIMITS } from '../domain/limits.ts';
import type { Problem } from '../domain/problem.ts';
import { eventsOf, fold, type BackendChoice, type Run, type RunEvent } from '../domain/run.ts';
import { checkProblemText, checkSettings, DEFAULT_SETTINGS, type RunSettings } from '../domain/settings.ts';
import type { Parsed } from '../formats/json.ts';
import { parseRunFile, writeRunFile } from '../formats/run-file.ts';
import { packText, unpackText } from './pack.ts';

/**
 * What the hash of a link says. Keys are those of a query string; what is not known is left alone, since other parts
 * of the page have keys of their own.
 */
export type LinkContent =
  /** Nothing that is for us. */
  | { readonly kind: 'none' }
  /** What to run: the form is filled, nothing starts. `model` is the id of the model that the sender used. */
  | {
      readonly kind: 'problem';
      readonly problem: Problem;
      readonly settings: RunSettings;
      readonly backend: BackendChoice;
      readonly model: string | null;
    }
  /** A recorded run of this site, by its id. */
  | { readonly kind: 'recorded'; readonly id: string }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'fault'; readonly message: string };

/** Characters of a whole hash: a run of 30 kB in base64 is 40,000. */
export const MAX_HASH_CHARACTERS = 44_000;
/** Characters of a packed run in a link; longer ones belong into a file. */
export const MAX_RUN_CHARACTERS = 40_000;

/** Names in a link, and the fields of the settings that they stand for. */
const FIELDS = {
  n: 'n',
  temperature: 'temperature',
  topk: 'topK',
  topp: 'topP',
  minp: 'minP',
  tokens: 'maxTokens',
  seed: 'seed',
} as const satisfies Record<string, keyof RunSettings>;

const BACKENDS: readonly BackendChoice[] = ['auto', 'webgpu', 'wasm'];

/** A hash, with its "#", that fills the form. Settings that are as usual are left out. */
export function problemHash(
  problem: Problem,
  settings: RunSettings,
  backend: BackendChoice,
  model: string | null,
): string {
  const parameters = new URLSearchParams({ problem: problem.text });
  if (problem.answer !== null) parameters.set('answer', problem.answer);
  for (const [name, field] of Object.entries(FIELDS)) {
    // N and the seed are always said: they are what makes another run the same.
    const usual = settings[field] === DEFAULT_SETTINGS[field];
    if (!usual || field === 'n' || field === 'seed') parameters.set(name, String(settings[field]));
  }
  if (backend !== 'auto') parameters.set('backend', backend);
  if (model !== null) parameters.set('model', model);
  return `#${parameters}`;
}

/** A hash that holds a whole run; not ok if the run is too large for a link. */
export async function runHash(run: Run): Promise<Parsed<string>> {
  const written = writeRunFile(eventsOf(run).map(shortened));
  if (!written.ok) return { ok: false, message: `This run cannot be put into a link: ${written.message}.` };
  const packed = await packText(written.value);
  if (packed.length > MAX_RUN_CHARACTERS) {
    return {
      ok: false,
      message: `This run takes ${packed.length.toLocaleString('en')} characters; a link holds ${MAX_RUN_CHARACTERS.toLocaleString('en')}. Save it as a run file, or share the problem and the seed.`,
    };
  }
  return { ok: true, value: `#run=${packed}` };
}

/** Reads a hash. Never throws, and gives nothing that is out of bounds. */
export async function readHash(hash: string): Promise<LinkContent> {
  if (hash.length > MAX_HASH_CHARACTERS) {
    return fault(
      `This link has ${hash.length.toLocaleString('en')} characters; at most ${MAX_HASH_CHARACTERS.toLocaleString('en')} are read. Ask for a run file instead.`,
    );
  }
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const packed = parameters.get('run') ?? '';
  if (packed !== '') return readRun(packed);
  const recorded = parameters.get('recorded') ?? '';
  if (recorded !== '') {
    return /^[a-z0-9][a-z0-9-]{0,60}$/.test(recorded)
      ? { kind: 'recorded', id: recorded }
      : fault('This link names a recorded run that cannot exist. Check that it was copied whole.');
  }
  return parameters.has('problem') ? readProblem(parameters) : { kind: 'none' };
}

async function readRun(packed: string): Promise<LinkContent> {
  const damaged =
    'The run in this link is damaged. Check that the link was copied whole, or ask for it again.';
  const text = await unpackText(packed);
  if (text === null) return fault(damaged);
  const events = parseRunFile(text);
  if (!events.ok) return fault(`${damaged} (${events.message})`);
  const run = fold(null, events.value);
  return run === null ? fault(damaged) : { kind: 'run', run };
}

function readProblem(parameters: URLSearchParams): LinkContent {
  const text = parameters.get('problem') ?? '';
  const wrongText = checkProblemText(text);
  if (wrongText !== null) return fault(`This link holds no problem that can be run. ${wrongText}`);
  const answer = (parameters.get('answer') ?? '').trim();
  if (answer.length > LIMITS.maxAnswerCharacters) {
    return fault(`The answer in this link is longer than ${LIMITS.maxAnswerCharacters} characters.`);
  }
  const settings: Record<keyof RunSettings, number> = { ...DEFAULT_SETTINGS };
  for (const [name, field] of Object.entries(FIELDS)) {
    const value = parameters.get(name);
    if (value !== null) settings[field] = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  }
  const [wrong] = checkSettings(settings);
  if (wrong !== undefined) return fault(`This link cannot be run as it is. ${wrong.message}`);
  const wanted = parameters.get('backend');
  const backend = BACKENDS.find((each) => each === wanted) ?? 'auto';
  const model = parameters.get('model');
  return {
    kind: 'problem',
    problem: { text: text.trim(), answer: answer === '' ? null : answer },
    settings,
    backend,
    model: model !== null && /^[\w./@-]{1,100}$/.test(model) ? model : null,
  };
}

function fault(message: string): LinkContent {
  return { kind: 'fault', message };
}

/** The same event with numbers as short as single precision allows: the models compute no more digits. */
function shortened(event: RunEvent): RunEvent {
  if (event.type === 'step') return { ...event, logprob: Number(event.logprob.toPrecision(6)) };
  if (event.type === 'reward' || event.type === 'outcome') return { ...event, reward: single(event.reward) };
  return event;
}

function single(value: number): number {
  for (let digits = 4; digits < 10; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return value;
}
