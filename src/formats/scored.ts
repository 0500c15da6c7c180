import * as v from 'valibot';
import { formatCsv, type CsvRow } from './csv.ts';
import { allFinite, failure, restOf, type JsonObject, type Parsed, type Written } from './json.ts';
import { check, finite, parseWith } from './validate.ts';

/** One solution with its scores, as evaluation scripts exchange them. */
export interface ScoredSample {
  readonly problem: string;
  /** The solution's final answer, `null` for none. */
  readonly answer: string | null;
  /** Any finite numbers: some verifiers give logits. */
  readonly prmScore: number | null;
  readonly ormScore: number | null;
  readonly correct: boolean | null;
  readonly rest: JsonObject;
}

const record = v.looseObject({
  problem: v.string(),
  answer: v.optional(v.nullable(v.string())),
  prm_score: v.optional(v.nullable(finite)),
  orm_score: v.optional(v.nullable(finite)),
  is_correct: v.optional(v.nullable(v.boolean())),
});
const KNOWN = ['problem', 'answer', 'prm_score', 'orm_score', 'is_correct'];

export function parseScored(line: string): Parsed<ScoredSample> {
  const parsed = parseWith(record, line);
  return parsed.ok ? { ok: true, value: fromRecord(parsed.value) } : parsed;
}

function fromRecord(raw: v.InferOutput<typeof record>): ScoredSample {
  return {
    problem: raw.problem,
    answer: raw.answer ?? null,
    prmScore: raw.prm_score ?? null,
    ormScore: raw.orm_score ?? null,
    correct: raw.is_correct ?? null,
    rest: restOf(raw as JsonObject, KNOWN),
  };
}

export function writeScored(sample: ScoredSample): Written<JsonObject> {
  if (!allFinite(sample)) return failure('a number is not finite');
  return {
    ok: true,
    value: {
      problem: sample.problem,
      answer: sample.answer,
      prm_score: sample.prmScore,
      orm_score: sample.ormScore,
      is_correct: sample.correct,
      ...sample.rest,
    },
    losses: [],
  };
}

/** One table with the known columns first; fields of `rest` that are not plain values are written as JSON. */
export function scoredToCsv(samples: readonly ScoredSample[]): Written<string> {
  const extra = new Set(
    samples.flatMap((sample) => Object.keys(sample.rest)).filter((key) => !KNOWN.includes(key)),
  );
  const losses: string[] = [];
  const rows: CsvRow[] = [];
  let structured = 0;
  for (const sample of samples) {
    const written = writeScored(sample);
    if (!written.ok) return written;
    const cells = [...KNOWN, ...extra].map((key) => {
      const cell = Object.hasOwn(written.value, key) ? written.value[key]! : null;
      if (cell === null || typeof cell !== 'object') return cell;
      structured++;
      return JSON.stringify(cell);
    });
    rows.push(cells);
  }
  if (structured > 0)
    losses.push(`${structured} structured field${structured === 1 ? '' : 's'}, written as JSON text`);
  if (extra.size > 0)
    losses.push(`types of the columns ${[...extra].slice(0, 30).join(', ')}, which CSV does not hold`);
  if (samples.some((sample) => sample.answer === ''))
    losses.push('the difference between an empty answer and none');
  return { ok: true, value: formatCsv([[...KNOWN, ...extra], ...rows]), losses };
}

/** Reads a row by the header's names; unknown columns go to `rest` as text. */
export function scoredFromCsv(header: readonly string[], row: readonly string[]): Parsed<ScoredSample> {
  if (!header.includes('problem')) return failure('no column "problem"');
  if (header.includes('__proto__')) return failure('a column called "__proto__" is not allowed');
  if (new Set(header).size !== header.length) return failure('two columns of one name');
  if (row.length !== header.length) return failure(`${row.length} fields, but ${header.length} columns`);
  const raw: Record<string, unknown> = {};
  for (const [i, name] of header.entries()) {
    const cell = row[i]!;
    if (name === 'prm_score' || name === 'orm_score') {
      if (cell.trim() !== '' && !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(cell)) {
        return failure(`${name}: "${cell.slice(0, 40)}" is not a number`);
      }
      raw[name] = cell.trim() === '' ? null : Number(cell);
    } else if (name === 'is_correct') {
      const known = { true: true, false: false, '1': true, '0': false, '': null }[cell.trim().toLowerCase()];
      if (known === undefined) return failure(`is_correct: "${cell.slice(0, 40)}" is neither true nor false`);
      raw[name] = known;
    } else if (name === 'answer') {
      raw[name] = cell === '' ? null : cell;
    } else {
      raw[name] = cell;
    }
  }
  const checked = check(record, raw);
  return checked.ok ? { ok: true, value: fromRecord(checked.value) } : checked;
}
