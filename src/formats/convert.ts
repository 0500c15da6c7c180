import { isObject, parseJson, type JsonObject, type Parsed, type Written } from './json.ts';
import type { BinaryOptions, LabelledSolution } from './labelled.ts';
import { parseMathShepherd, writeMathShepherd } from './math-shepherd.ts';
import { parsePrm800k, writePrm800k } from './prm800k.ts';
import { parseProcessBench, writeProcessBench } from './processbench.ts';
import { parseRlhflow, writeRlhflow } from './rlhflow.ts';
import { parseTrl, writeTrl } from './trl.ts';

/** The formats for labelled solutions, for menus and for files whose format nobody said. */
export type LabelFormat = 'prm800k' | 'trl' | 'math-shepherd' | 'processbench' | 'rlhflow';

export const LABEL_FORMATS: Readonly<
  Record<
    LabelFormat,
    {
      readonly name: string;
      readonly parse: (line: string) => Parsed<LabelledSolution>;
      readonly write: (solution: LabelledSolution, options: BinaryOptions) => Written<JsonObject>;
    }
  >
> = {
  prm800k: { name: 'PRM800K', parse: parsePrm800k, write: (solution) => writePrm800k(solution) },
  trl: { name: 'TRL stepwise supervision', parse: parseTrl, write: writeTrl },
  'math-shepherd': { name: 'Math-Shepherd', parse: parseMathShepherd, write: writeMathShepherd },
  processbench: { name: 'ProcessBench', parse: parseProcessBench, write: writeProcessBench },
  rlhflow: { name: 'RLHFlow', parse: parseRlhflow, write: writeRlhflow },
};

/** Which format a line is in, by its fields; `null` for none of them. */
export function detectLabelFormat(line: string): LabelFormat | 'scored' | null {
  const json = parseJson(line.replace(/^\ufeff/, ''));
  if (!json.ok || !isObject(json.value)) return null;
  const has = (...keys: readonly string[]): boolean =>
    keys.every((key) => Object.hasOwn(json.value as JsonObject, key));
  if (has('question', 'label')) return 'prm800k';
  if (has('prompt', 'completions', 'labels')) return 'trl';
  if (has('problem', 'steps', 'label')) return 'processbench';
  if (has('input', 'label')) return 'math-shepherd';
  if (has('conversations') || has('messages')) return 'rlhflow';
  return has('problem') && (has('answer') || has('prm_score') || has('orm_score')) ? 'scored' : null;
}
