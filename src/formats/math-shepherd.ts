import * as v from 'valibot';
import { allFinite, failure, restOf, type Json, type JsonObject, type Parsed, type Written } from './json.ts';
import {
  binaryPath,
  correctLosses,
  plainStep,
  restLosses,
  truthLosses,
  type BinaryOptions,
  type LabelledSolution,
} from './labelled.ts';
import { parseWith } from './validate.ts';

/**
 * Math-Shepherd: problem and steps in one text, with a mark (the Cyrillic letters "ки") after each step; the label is
 * the same text with + or - in place of each mark.
 */
export const STEP_MARK = 'ки';

const record = v.looseObject({
  input: v.string(),
  label: v.string(),
  task: v.optional(v.nullable(v.string())),
});

/** White space and numbering around a step: before it, its "Step 1: ", and after it. */
type Layout = readonly [lead: string, prefix: string, trail: string];

export function parseMathShepherd(line: string): Parsed<LabelledSolution> {
  const parsed = parseWith(record, line);
  if (!parsed.ok) return parsed;
  const { input, label } = parsed.value;
  const segments = input.split(STEP_MARK);
  const end = segments.pop()!;
  if (segments.length === 0) return failure(`input: no step mark "${STEP_MARK}"`);
  if (segments.length > 10_000) return failure('input: more than 10,000 steps');
  const marks = readMarks(segments, end, label);
  if (!marks.ok) return marks;

  const first = segments[0]!;
  const start = first.lastIndexOf('Step 1: ');
  if (start < 0) return failure('input: no "Step 1: " between the problem and the steps');
  const problem = first.slice(0, start).trimEnd();
  const layouts: Layout[] = [];
  const steps = segments.map((segment, i) => {
    const own = i === 0 ? segment.slice(problem.length) : segment;
    const { text, layout } = splitSegment(own);
    layouts.push(layout);
    return plainStep(text, marks.value[i]!);
  });
  const usual = layouts.every((layout, i) => layout.every((part, k) => part === usualLayout(i)[k]));
  const layout = usual && end === '' ? {} : { '(layout)': layouts as unknown as Json, '(end)': end };
  return {
    ok: true,
    value: {
      problem,
      truth: null,
      steps,
      correct: null,
      source: 'math-shepherd',
      rest: { ...restOf(parsed.value as JsonObject, ['input', 'label']), ...layout },
    },
  };
}

/** The label must be the input, character for character, but for the marks. */
function readMarks(segments: readonly string[], end: string, label: string): Parsed<(1 | -1)[]> {
  const marks: (1 | -1)[] = [];
  let at = 0;
  for (const [i, segment] of segments.entries()) {
    if (!label.startsWith(segment, at)) return failure(`label: differs from the input before mark ${i + 1}`);
    at += segment.length;
    const mark = label[at];
    if (mark !== '+' && mark !== '-') return failure(`label: mark ${i + 1} is neither + nor -`);
    marks.push(mark === '+' ? 1 : -1);
    at++;
  }
  return label.slice(at) === end
    ? { ok: true, value: marks }
    : failure('label: differs from the input at its end');
}

function splitSegment(segment: string): { text: string; layout: Layout } {
  const lead = /^\s*/.exec(segment)![0];
  const prefix = /^Step \d{1,6}: ?/.exec(segment.slice(lead.length, lead.length + 20))?.[0] ?? '';
  const rest = segment.slice(lead.length + prefix.length);
  const text = rest.trimEnd();
  return { text, layout: [lead, prefix, rest.slice(text.length)] };
}

function usualLayout(i: number): Layout {
  return [i === 0 ? ' ' : '\n', `Step ${i + 1}: `, ' '];
}

export function writeMathShepherd(solution: LabelledSolution, options: BinaryOptions): Written<JsonObject> {
  if (!allFinite(solution.rest)) return failure('a number is not finite');
  const path = binaryPath(solution, options);
  if (path.steps.length === 0) return failure('a solution without steps has no place for its labels');
  if ([solution.problem, ...path.steps.map((step) => step.text)].some((text) => text.includes(STEP_MARK))) {
    return failure(`a text contains the step mark "${STEP_MARK}"`);
  }
  const own = solution.source === 'math-shepherd';
  const layouts =
    own && Array.isArray(solution.rest['(layout)']) ? (solution.rest['(layout)'] as readonly unknown[]) : [];
  const end =
    own && typeof solution.rest['(end)'] === 'string' && layouts.length > 0 ? solution.rest['(end)'] : '';
  const write = (mark: (good: boolean) => string): string =>
    solution.problem +
    path.steps
      .map(({ text, good }, i) => {
        const [lead, prefix, trail] = readLayout(layouts[i]) ?? usualLayout(i);
        return `${lead}${prefix}${text}${trail}${mark(good)}`;
      })
      .join('') +
    end;
  const value: JsonObject = {
    input: write(() => STEP_MARK),
    label: write((good) => (good ? '+' : '-')),
    ...(own ? restOf(solution.rest, ['(layout)', '(end)']) : { task: '' }),
  };
  const losses = [
    ...path.losses,
    ...truthLosses(solution),
    ...correctLosses(solution),
    ...restLosses(solution, 'math-shepherd'),
  ];
  // White space at the ends of texts, or "Step 1: " within one, would be read back as layout.
  const again = parseMathShepherd(JSON.stringify(value));
  const same =
    again.ok &&
    again.value.problem === solution.problem &&
    again.value.steps.length === path.steps.length &&
    again.value.steps.every((step, i) => step.completions?.[0]?.text === path.steps[i]!.text);
  if (!same) losses.push('where problem and steps begin and end');
  return { ok: true, value, losses };
}

function readLayout(value: unknown): Layout | null {
  if (!Array.isArray(value) || value.length !== 3 || !value.every((part) => typeof part === 'string'))
    return null;
  return value as unknown as Layout;
}
