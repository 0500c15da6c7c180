/** Reading JSON that somebody else wrote: bounded, and never an exception. */

/** A value read, or a sentence that says what is wrong with it. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/**
 * A value in a foreign format. `losses` says what that format cannot hold, one sentence each; it is empty if reading
 * it back gives the same again. Not `ok` if the format cannot hold the essentials.
 */
export type Written<T> =
  | { readonly ok: true; readonly value: T; readonly losses: readonly string[] }
  | { readonly ok: false; readonly message: string };

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const JSON_BOUNDS = {
  /** Characters of one line of a JSON Lines file, or of a whole run file. */
  characters: 32_000_000,
  /** Levels of arrays and objects. */
  nesting: 64,
} as const;

/**
 * Parses JSON. Refuses what JSON.parse would let through but what may do harm later: deep nesting (recursive code)
 * and keys called `__proto__` (code that copies objects).
 */
export function parseJson(text: string): Parsed<Json> {
  if (text.length > JSON_BOUNDS.characters)
    return failure(`longer than ${JSON_BOUNDS.characters.toLocaleString('en')} characters`);
  const nesting = deepest(text);
  if (nesting > JSON_BOUNDS.nesting) return failure(`nested more than ${JSON_BOUNDS.nesting} levels deep`);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return failure(explain(text, error));
  }
  // The name may be hidden behind escapes, so that the text alone does not show it.
  if (/proto|\\u/i.test(text) && hasProtoKey(value))
    return failure('a key called "__proto__" is not allowed');
  return { ok: true, value };
}

export function failure(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

function explain(text: string, error: unknown): string {
  if (text.trim() === '') return 'empty';
  if (/(?:^|[[:,\s])(?:-?Infinity|NaN)(?:$|[\],}\s])/.test(text))
    return 'not JSON: NaN and Infinity are not allowed';
  return `not JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`;
}

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x5b || c === 0x7b) most = Math.max(most, ++depth);
    else if (c === 0x5d || c === 0x7d) depth--;
  }
  return most;
}

function hasProtoKey(value: Json): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasProtoKey);
  return Object.keys(value).includes('__proto__') || Object.values(value).some(hasProtoKey);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries whose keys are not in `known`, to be written back unchanged. */
export function restOf(object: JsonObject, known: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !known.includes(key)));
}

/** Whether every number in it can be written as JSON; NaN and the infinities would silently become null. */
export function allFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(allFinite);
  return typeof value !== 'object' || value === null || Object.values(value).every(allFinite);
}
