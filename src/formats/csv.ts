import { readChunks, type TextSource } from './lines.ts';

/** CSV after RFC 4180, with a guard against formulas. */

export type CsvCell = string | number | boolean | null;
export type CsvRow = readonly CsvCell[];

/**
 * A spreadsheet would run what begins like this. A person's text gets an apostrophe in front, which spreadsheets take
 * as "this is text" and which our reader takes off again. Leading apostrophes get one more, so that none is lost.
 */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const GUARDED = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

export const CSV_BOUNDS = { fieldCharacters: 4_000_000, columns: 2_000 } as const;

/** Rows end with CRLF. `null` is an empty field; numbers must be finite. */
export function formatCsv(rows: readonly CsvRow[]): string {
  return rows
    .map((row) => `${row.length === 1 && row[0] === null ? '""' : row.map(formatCell).join(',')}\r\n`)
    .join('');
}

function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const guarded = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$|^$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** A row, or what is wrong with it; `line` counts from 1, and is where the row begins. */
export type CsvLine =
  | { readonly line: number; readonly row: readonly string[] }
  | { readonly line: number; readonly message: string };

/** Reads CSV as it arrives. A faulty row is reported; reading goes on behind it. */
export async function* readCsv(source: TextSource): AsyncGenerator<CsvLine, void, undefined> {
  const reader = new CsvReader();
  for await (const chunk of readChunks(source)) yield* reader.push(chunk);
  yield* reader.end();
}

export function parseCsv(text: string): CsvLine[] {
  const reader = new CsvReader();
  return [...reader.push(text.replace(/^\ufeff/, '')), ...reader.end()];
}

class CsvReader {
  private row: string[] = [];
  private field = '';
  /** Outside a field's quotes, inside them, behind the closing quote. */
  private state: 'plain' | 'quoted' | 'closed' = 'plain';
  private fault: string | null = null;
  private line = 1;
  private rowLine = 1;
  private began = false;
  private afterReturn = false;

  *push(chunk: string): Generator<CsvLine, void, undefined> {
    for (let i = 0; i < chunk.length; i++) {
      const c = chunk[i]!;
      const secondOfPair = this.afterReturn && c === '\n';
      this.afterReturn = c === '\r';
      if ((c === '\n' && !secondOfPair) || c === '\r') this.line++;
      if (this.state === 'quoted') {
        if (c === '"') this.state = 'closed';
        else this.append(c);
        continue;
      }
      if (secondOfPair) continue;
      if (c === '\n' || c === '\r') {
        yield* this.finish();
      } else if (c === ',') {
        this.endField();
        this.began = true;
      } else if (c === '"') {
        this.quote();
      } else if (this.state === 'closed') {
        this.fault ??= 'text behind a closing quote';
      } else {
        this.append(c);
      }
    }
  }

  *end(): Generator<CsvLine, void, undefined> {
    if (this.state === 'quoted') this.fault ??= 'a quote that is not closed';
    if (this.began || this.field !== '' || this.fault !== null) yield* this.finish();
  }

  private quote(): void {
    if (this.state === 'closed') {
      this.append('"');
      this.state = 'quoted';
    } else if (this.field === '') {
      this.state = 'quoted';
    } else {
      this.fault ??= 'a quote inside a field without quotes';
    }
    this.began = true;
  }

  private append(c: string): void {
    this.began = true;
    if (this.field.length >= CSV_BOUNDS.fieldCharacters) {
      this.fault ??= `a field longer than ${CSV_BOUNDS.fieldCharacters.toLocaleString('en')} characters`;
      return;
    }
    this.field += c;
  }

  private endField(): void {
    if (this.row.length >= CSV_BOUNDS.columns)
      this.fault ??= `more than ${CSV_BOUNDS.columns.toLocaleString('en')} columns`;
    else this.row.push(GUARDED.test(this.field) ? this.field.slice(1) : this.field);
    this.field = '';
    this.state = 'plain';
  }

  private *finish(): Generator<CsvLine, void, undefined> {
    const blank = !this.began;
    this.endField();
    if (this.fault !== null) yield { line: this.rowLine, message: this.fault };
    else if (!blank) yield { line: this.rowLine, row: this.row };
    this.row = [];
    this.fault = null;
    this.began = false;
    this.rowLine = this.line;
  }
}
