import type { DeclaredFile } from '../domain/declared-file.ts';
import { EngineFault } from '../domain/fault.ts';
import { isModelFile } from './model-files.ts';

/** What a hub says of a model. */
export interface HubListing {
  readonly commit: string;
  /** Files that a variant of the model may need, with their digests. */
  readonly files: readonly DeclaredFile[];
  /** As the model's page states it; `null` if it does not. */
  readonly licence: string | null;
  /** JSON value of the `steplight.json` that our converter puts beside a model; `null` if there is none. */
  readonly converted: unknown;
  /** Class of the model in PyTorch, such as `Qwen2ForCausalLM`; `null` if not stated. */
  readonly architecture: string | null;
}

/** A repository with more pages of files than this is no model for a browser. */
const MOST_PAGES = 20;

/** A longer `steplight.json` is none of ours. */
const MOST_NOTE_BYTES = 100_000;

/** `owner/name`, by the rules of the hub. */
export const HUB_ID = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/u;

/**
 * Asks a hub for a model's present commit and its files. Nothing but the id is sent.
 *
 * @param hub address without a slash at its end
 * @param revision branch, tag or commit
 * @throws EngineFault of kind `files` that says what to do, or `cancelled`
 */
export async function lookUp(
  hub: string,
  id: string,
  revision: string,
  signal: AbortSignal,
): Promise<HubListing> {
  if (!HUB_ID.test(id))
    throw new EngineFault(
      'files',
      id === ''
        ? 'Type the id of a model. It has the form owner/name.'
        : `“${id}” is no model id. It has the form owner/name.`,
    );
  const api = `${hub}/api/models/${id}`;
  const about = await ask(`${api}/revision/${encodeURIComponent(revision)}`, id, signal);
  const { sha, tags, config, cardData } = asRecord(about.value);
  if (typeof sha !== 'string' || !/^[0-9a-f]{40}$/u.test(sha)) throw strange(id);
  const files: DeclaredFile[] = [];
  let isConverted = false;
  let next: string | null = `${api}/tree/${sha}?recursive=true`;
  for (let page = 0; next !== null && page < MOST_PAGES; page++) {
    const answer: Answer = await ask(next, id, signal);
    if (!Array.isArray(answer.value)) throw strange(id);
    for (const entry of answer.value) {
      const file = declared(asRecord(entry));
      if (file !== null && isModelFile(file)) files.push(file);
      isConverted ||= file?.path === 'steplight.json' && file.bytes < MOST_NOTE_BYTES;
    }
    next = answer.next?.startsWith(`${hub}/`) === true ? answer.next : null;
  }
  const converted = isConverted ? await ask(`${hub}/${id}/resolve/${sha}/steplight.json`, id, signal) : null;
  return {
    commit: sha,
    files,
    licence: licenceOf(cardData, tags),
    converted: converted?.value ?? null,
    architecture: architectureOf(config),
  };
}

interface Answer {
  readonly value: unknown;
  /** Address of the next page. */
  readonly next: string | null;
}

async function ask(url: string, id: string, signal: AbortSignal): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (error) {
    if (signal.aborted) throw cancelled();
    throw new EngineFault(
      'files',
      `The hub could not be reached. Check the connection; models that were loaded before, and the bundled ones, work without it.`,
      error,
    );
  }
  if (!response.ok) throw new EngineFault('files', refusal(response, id));
  try {
    const link = /<([^>]+)>;\s*rel="next"/u.exec(response.headers.get('link') ?? '');
    return { value: await response.json(), next: link?.[1] ?? null };
  } catch (error) {
    if (signal.aborted) throw cancelled();
    throw new EngineFault('files', `The hub's answer about ${id} could not be read. Try again.`, error);
  }
}

function refusal({ status, headers }: Response, id: string): string {
  const code = headers.get('x-error-code');
  if (code === 'GatedRepo')
    return `${id} is gated: its licence must be accepted on the hub first. Download it with your account and pick the folder here, or choose another model.`;
  if (code === 'RevisionNotFound')
    return `${id} has no such revision on the hub. Leave it as “main”, or look it up there.`;
  // The hub answers 401 for what is not there, so as not to tell what is private.
  if (status === 401 || status === 403 || status === 404)
    return `The hub has no public model ${id}. Check the spelling; a private or gated one can be downloaded with your account and picked as a folder here.`;
  if (status === 429) return 'The hub has had too many requests from here. Wait a minute and try again.';
  return `The hub did not answer as it should (status ${status}). Try again later.`;
}

function declared({ type, path, size, oid, lfs }: Readonly<Record<string, unknown>>): DeclaredFile | null {
  // Paths go into addresses and keys: nothing that could leave the model's folder.
  if (type !== 'file' || typeof path !== 'string' || !/^[\w.-]+(?:\/[\w.-]+)*$/u.test(path)) return null;
  if (path.split('/').some((part) => /^\.+$/u.test(part))) return null;
  const large = lfs === undefined || lfs === null ? null : asRecord(lfs);
  const bytes = large?.['size'] ?? size;
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return null;
  if (large !== null)
    return typeof large['oid'] === 'string' && /^[0-9a-f]{64}$/u.test(large['oid'])
      ? { path, bytes, sha256: large['oid'] }
      : null;
  return typeof oid === 'string' && /^[0-9a-f]{40}$/u.test(oid) ? { path, bytes, gitSha1: oid } : null;
}

function licenceOf(card: unknown, tags: unknown): string | null {
  const { license } = asRecord(card);
  if (typeof license === 'string') return license.slice(0, 100);
  const tag = Array.isArray(tags)
    ? tags.find((each): each is string => typeof each === 'string' && each.startsWith('license:'))
    : undefined;
  return tag?.slice('license:'.length, 100) ?? null;
}

function architectureOf(config: unknown): string | null {
  const { architectures } = asRecord(config);
  const first: unknown = Array.isArray(architectures) ? architectures[0] : null;
  return typeof first === 'string' ? first.slice(0, 100) : null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function cancelled(): EngineFault {
  return new EngineFault('cancelled', 'The search was cancelled.');
}

function strange(id: string): EngineFault {
  return new EngineFault(
    'files',
    `The hub's answer about ${id} is of an unknown form. A newer version of this page may read it.`,
  );
}
