import type { Parsed } from './json.ts';

/** Reading long files piece by piece, so that neither memory nor the page's main thread is taken up. */

/** A stream of bytes or text (`file.stream()`, `response.body`), or anything that gives pieces of them in turn. */
export type TextSource =
  ReadableStream<Uint8Array | string> | AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

export interface LineError {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}
export type Line = { readonly line: number; readonly text: string } | LineError;

export interface LineOptions {
  /** Characters of one line; a longer one is reported and skipped without being kept. */
  readonly maxCharacters?: number;
}

const MAX_LINE = 8_000_000;
/** Milliseconds after which the event loop gets a turn; a frame has about 16. */
const SLICE = 8;
/** Characters taken at a time from a piece, however large the piece is. */
const PIECE = 1 << 18;

/** Text pieces of at most `PIECE` characters, without a byte-order mark; gives the event loop its turn. */
export async function* readChunks(source: TextSource): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let first = true;
  let since = now();
  for await (const chunk of iterate(source)) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const part =
        typeof chunk === 'string'
          ? chunk.slice(at, at + PIECE)
          : decoder.decode(chunk.subarray(at, at + PIECE), { stream: true });
      const text = first ? part.replace(/^\ufeff/, '') : part;
      if (part !== '') first = false;
      if (now() - since > SLICE) {
        await pause();
        since = now();
      }
      if (text !== '') yield text;
    }
  }
  const last = decoder.decode();
  if (last !== '') yield last;
}

/**
 * Lines as they arrive, without their ends (LF or CRLF). Blank lines are counted but not given. A line that is too
 * long gives an error in its place, and reading goes on behind it.
 */
export async function* readLines(
  source: TextSource,
  options: LineOptions = {},
): AsyncGenerator<Line, void, undefined> {
  const max = options.maxCharacters ?? MAX_LINE;
  let line = 0;
  let held: string[] = [];
  let length = 0;
  let since = now();
  const take = (end: string): Line | null => {
    line++;
    const total = length + end.length;
    const text = total > max ? '' : held.join('') + end;
    held = [];
    length = 0;
    if (total > max) return { line, message: `longer than ${max.toLocaleString('en')} characters` };
    const trimmed = text.endsWith('\r') ? text.slice(0, -1) : text;
    return trimmed.trim() === '' ? null : { line, text: trimmed };
  };
  for await (const chunk of readChunks(source)) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const found = take(chunk.slice(start, end));
      start = end + 1;
      if (now() - since > SLICE) {
        await pause();
        since = now();
      }
      if (found !== null) yield found;
    }
    length += chunk.length - start;
    if (length <= max) held.push(chunk.slice(start));
    else held = [];
  }
  if (length > 0) {
    const found = take('');
    if (found !== null) yield found;
  }
}

export type ParsedLine<T> = { readonly line: number; readonly value: T } | LineError;

/** Parses each line; a faulty one gives its error, the others load. */
export async function* readRecords<T>(
  source: TextSource,
  parse: (line: string) => Parsed<T>,
  options: LineOptions = {},
): AsyncGenerator<ParsedLine<T>, void, undefined> {
  for await (const item of readLines(source, options)) {
    if (!('text' in item)) {
      yield item;
      continue;
    }
    const parsed = parse(item.text);
    yield parsed.ok ? { line: item.line, value: parsed.value } : { line: item.line, message: parsed.message };
  }
}

export interface Loaded<T> {
  readonly values: readonly T[];
  /** The first errors. */
  readonly errors: readonly LineError[];
  readonly errorCount: number;
  /** Whether reading stopped at `maxRecords` with more to come. */
  readonly truncated: boolean;
}

/** Reads all records into memory, up to a number of them; keeps the first 100 errors and counts the others. */
export async function loadRecords<T>(
  source: TextSource,
  parse: (line: string) => Parsed<T>,
  maxRecords: number,
): Promise<Loaded<T>> {
  const values: T[] = [];
  const errors: LineError[] = [];
  let errorCount = 0;
  for await (const item of readRecords(source, parse)) {
    if ('value' in item) {
      if (values.length >= maxRecords) return { values, errors, errorCount, truncated: true };
      values.push(item.value);
    } else {
      errorCount++;
      if (errors.length < 100) errors.push(item);
    }
  }
  return { values, errors, errorCount, truncated: false };
}

/** ReadableStream is not async-iterable in every browser; a reader is. */
async function* iterate(source: TextSource): AsyncGenerator<Uint8Array | string, void, undefined> {
  if (!('getReader' in source)) {
    yield* source;
    return;
  }
  const reader = source.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // The consumer may have stopped early: the source must not go on.
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

function now(): number {
  return performance.now();
}

/** A turn of the event loop. A message is not delayed as nested timeouts are. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}
