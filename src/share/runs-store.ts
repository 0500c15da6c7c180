import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { eventsOf, fold, type Run } from '../domain/run.ts';
import type { Parsed } from '../formats/json.ts';
import { parseRunFile, writeRunFile } from '../formats/run-file.ts';

/** Runs that are kept; the oldest go first. */
export const KEPT_RUNS = 50;

/** A kept run as a list shows it. */
export interface KeptRun {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly problem: string;
  readonly lanes: number;
  readonly bytes: number;
}

interface Entry {
  readonly savedAt: number;
  readonly problem: string;
  readonly lanes: number;
  /** A run file. */
  readonly file: string;
}

interface Schema extends DBSchema {
  runs: { key: number; value: Entry };
}

/** Where runs are kept, and why not in the browser's storage if that is so. */
export type Keeping = { readonly kind: 'stored' } | { readonly kind: 'memory'; readonly reason: string };

const DENIED =
  'This browser does not let the page store anything here; runs are kept until the page is closed. Save those that you want to keep as run files.';
const FULL =
  'The browser’s storage is full; newer runs are kept until the page is closed. Delete some, or save them as run files.';

/**
 * The last runs, in IndexedDB where it can be used and in memory otherwise. No method rejects: storage may be denied,
 * full, or taken away at any moment.
 */
export class RunsStore {
  keeping: Keeping = { kind: 'stored' };

  readonly #memory = new Map<number, Entry>();
  #database: Promise<IDBPDatabase<Schema> | null> | null = null;
  /** Ids in memory count down, so that they never meet those of the database. */
  #nextId = -1;

  /** Keeps a run and forgets the oldest beyond {@link KEPT_RUNS}. Returns its id; `null` if it cannot be written. */
  async save(run: Run): Promise<number | null> {
    const file = writeRunFile(eventsOf(run));
    if (!file.ok) return null;
    const entry: Entry = {
      savedAt: Date.now(),
      problem: run.problem.text,
      lanes: run.solutions.length,
      file: file.value,
    };
    const database = await this.#open();
    if (database !== null) {
      try {
        const id = await database.add('runs', entry);
        const keys = await database.getAllKeys('runs');
        for (const key of keys.slice(0, Math.max(0, keys.length - KEPT_RUNS)))
          await database.delete('runs', key);
        return id;
      } catch (error) {
        const full = error instanceof DOMException && error.name === 'QuotaExceededError';
        this.keeping = { kind: 'memory', reason: full ? FULL : DENIED };
      }
    }
    const id = this.#nextId--;
    this.#memory.set(id, entry);
    const oldest = [...this.#memory.keys()];
    for (const key of oldest.slice(0, Math.max(0, oldest.length - KEPT_RUNS))) this.#memory.delete(key);
    return id;
  }

  /** Newest first. */
  async list(): Promise<KeptRun[]> {
    const kept: [number, Entry][] = [...this.#memory];
    const database = await this.#open();
    try {
      let cursor = (await database?.transaction('runs').store.openCursor()) ?? null;
      while (cursor !== null) {
        kept.push([cursor.key, cursor.value]);
        cursor = await cursor.continue();
      }
    } catch {
      this.keeping = { kind: 'memory', reason: DENIED };
    }
    return kept
      .map(([id, { savedAt, problem, lanes, file }]) => ({ id, savedAt, problem, lanes, bytes: file.length }))
      .sort((a, b) => b.savedAt - a.savedAt);
  }

  async open(id: number): Promise<Parsed<Run>> {
    const database = await this.#open();
    const entry =
      this.#memory.get(id) ?? (id > 0 ? await database?.get('runs', id).catch(() => undefined) : undefined);
    if (entry === undefined) return { ok: false, message: 'This run is no longer kept.' };
    const events = parseRunFile(entry.file);
    if (!events.ok) return { ok: false, message: `The kept run cannot be read: ${events.message}` };
    const run = fold(null, events.value);
    return run === null ? { ok: false, message: 'The kept run is empty.' } : { ok: true, value: run };
  }

  async delete(id: number): Promise<void> {
    this.#memory.delete(id);
    const database = await this.#open();
    await database?.delete('runs', id).catch(() => undefined);
  }

  async deleteAll(): Promise<void> {
    this.#memory.clear();
    const database = await this.#open();
    await database?.clear('runs').catch(() => undefined);
  }

  #open(): Promise<IDBPDatabase<Schema> | null> {
    this.#database ??= this.#tryOpen();
    return this.#database;
  }

  async #tryOpen(): Promise<IDBPDatabase<Schema> | null> {
    try {
      return await openDB<Schema>('steplight', 1, {
        upgrade: (database) => {
          database.createObjectStore('runs', { autoIncrement: true });
        },
        // Another tab with a newer page must not wait for this one.
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
        terminated: () => {
          this.#database = null;
        },
      });
    } catch {
      this.keeping = { kind: 'memory', reason: DENIED };
      return null;
    }
  }
}
