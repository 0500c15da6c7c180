import * as v from 'valibot';
import { LIMITS } from '../domain/limits.ts';
import type { RunEvent } from '../domain/run.ts';
import { checkSettings } from '../domain/settings.ts';
import { allFinite, failure, isObject, parseJson, type Parsed, type Written } from './json.ts';
import { check, finite } from './validate.ts';

/**
 * The run file: one JSON object with a format name, a schema version, what identifies the run, and its events. The
 * events of a file go through the same fold as those of a live run.
 */
export const RUN_FORMAT = 'steplight-run';
export const RUN_VERSION = 2;

const MAX_EVENTS = 200_000;
const MAX_TEXT = 20_000;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const lane = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LIMITS.maxLanes - 1));
const laneCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LIMITS.maxLanes));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const milliseconds = v.pipe(finite, v.minValue(0));
const answer = v.nullable(v.pipe(v.string(), v.maxLength(MAX_TEXT)));
const model = v.object({
  id: text,
  revision: text,
  dtype: text,
  comparable: v.exactOptional(v.literal('within-problem')),
});

const classes = v.object({ positive: share, neutral: share, negative: share });

const settings = v.object({
  n: finite,
  temperature: finite,
  topK: finite,
  topP: finite,
  minP: finite,
  maxTokens: finite,
  seed: finite,
});

const end = v.variant('kind', [
  v.object({ kind: v.picklist(['answer', 'length', 'no-answer', 'cancelled']) }),
  v.object({ kind: v.literal('error'), message: text }),
]);

const status = v.variant('kind', [
  v.object({ kind: v.picklist(['complete', 'cancelled']) }),
  v.object({ kind: v.literal('failed'), message: text }),
]);

const event = v.variant('type', [
  v.object({ type: v.literal('text'), lane, text }),
  v.object({
    type: v.literal('step'),
    lane,
    text,
    tokens: count,
    logprob: finite,
    raw: v.exactOptional(text),
  }),
  v.object({
    type: v.literal('reward'),
    lane,
    step: count,
    reward: share,
    classes: v.exactOptional(classes),
  }),
  v.object({ type: v.literal('outcome'), lane, reward: share }),
  v.object({ type: v.literal('ended'), lane, end, answer }),
  v.object({ type: v.literal('lanes'), n: laneCount }),
  v.object({ type: v.literal('resumed') }),
  v.object({
    type: v.literal('forked'),
    lane,
    from: lane,
    steps: count,
    edited: v.exactOptional(v.boolean()),
  }),
  v.object({
    type: v.literal('finished'),
    status,
    stats: v.object({
      wallMs: milliseconds,
      forwardMs: milliseconds,
      firstTokenMs: milliseconds,
      tokens: count,
    }),
  }),
]);

const runFile = v.object({
  problem: v.object({
    text: v.pipe(v.string(), v.maxLength(LIMITS.maxProblemCharacters)),
    answer: v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.maxAnswerCharacters))),
  }),
  settings,
  models: v.object({ generator: model, prm: v.nullable(model), orm: v.nullable(model) }),
  backend: v.picklist(['webgpu', 'wasm']),
  events: v.pipe(v.array(event), v.maxLength(MAX_EVENTS)),
});

/**
 * One reader for each version that was ever written. A new version keeps the readers of the old ones. Version 2 has
 * the events of a run that went on (`lanes`, `resumed`, `forked`) and is otherwise as version 1.
 */
const READERS: Readonly<Record<number, (raw: unknown) => Parsed<readonly RunEvent[]>>> = {
  1: readEvents,
  2: readEvents,
};

/** Reads a run file into its events, `started` first. Never throws. */
export function parseRunFile(source: string): Parsed<readonly RunEvent[]> {
  const json = parseJson(source.replace(/^\ufeff/, ''));
  if (!json.ok) return failure(`This is not a run file: ${json.message}.`);
  return readRunFile(json.value);
}

/** The same for a value that is parsed already, from a link or a store. */
export function readRunFile(raw: unknown): Parsed<readonly RunEvent[]> {
  if (!isObject(raw) || raw.format !== RUN_FORMAT) {
    return failure('This is not a Steplight run file.');
  }
  const version = raw.version;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return failure('This run file does not say its version; it may be damaged.');
  }
  if (!Object.hasOwn(READERS, version)) {
    return failure(
      `This run file has version ${version}; this Steplight reads versions up to ${RUN_VERSION}. Reload the page to get the newest Steplight, or export the file again.`,
    );
  }
  return READERS[version]!(raw);
}

function readEvents(raw: unknown): Parsed<readonly RunEvent[]> {
  const parsed = check(runFile, raw);
  if (!parsed.ok) return failure(`This run file is damaged at ${parsed.message}`);
  const { problem, settings: given, models, backend, events } = parsed.value;
  const [fault] = checkSettings(given);
  if (fault !== undefined)
    return failure(`This run file is damaged at settings.${fault.field}: ${fault.message}`);
  return { ok: true, value: [{ type: 'started', problem, settings: given, models, backend }, ...events] };
}

/**
 * Writes a run from its events. They must begin with `started`, as those of a session do; a later `started` (another
 * run) is refused. Nothing is lost, and what cannot be read back is not written.
 */
export function writeRunFile(events: readonly RunEvent[]): Written<string> {
  const [first, ...rest] = events;
  if (first?.type !== 'started') return failure('a run begins with its problem and settings');
  if (rest.some((e) => e.type === 'started')) return failure('two runs in one list of events');
  if (!allFinite(events)) return failure('a number is not finite');
  const { problem, settings: given, models, backend } = first;
  const file = {
    format: RUN_FORMAT,
    version: RUN_VERSION,
    problem,
    settings: given,
    models,
    backend,
    events: rest,
  };
  const readable = readRunFile(file);
  if (!readable.ok) return readable;
  return { ok: true, value: JSON.stringify(file), losses: [] };
}
