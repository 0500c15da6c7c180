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

/** RLHFlow: a chat in which the user says one step at a time and the assistant answers "+" or "-". */

const turn = v.looseObject({ role: v.string(), content: v.string() });
const turns = v.pipe(v.array(turn), v.maxLength(20_000));
const record = v.union([v.looseObject({ conversations: turns }), v.looseObject({ messages: turns })]);

/** What may stand between the question and the first step, the likeliest first. */
const SEPARATORS = [' Step 1: ', '\nStep 1: ', '\n\n', '\n'];

export function parseRlhflow(line: string): Parsed<LabelledSolution> {
  const parsed = parseWith(record, line);
  if (!parsed.ok) return parsed;
  const key = 'conversations' in parsed.value ? 'conversations' : 'messages';
  const chat = (parsed.value as { readonly [k: string]: unknown })[key] as readonly v.InferOutput<
    typeof turn
  >[];
  if (chat.length === 0 || chat.length % 2 !== 0) return failure(`${key}: not a list of pairs of turns`);
  const steps: { text: string; good: boolean }[] = [];
  for (let i = 0; i < chat.length; i += 2) {
    const user = chat[i]!;
    const assistant = chat[i + 1]!;
    if (user.role !== 'user' || assistant.role !== 'assistant') {
      return failure(`${key}.${i}: not a turn of the user and one of the assistant`);
    }
    if (assistant.content !== '+' && assistant.content !== '-')
      return failure(`${key}.${i + 1}: neither + nor -`);
    steps.push({ text: user.content, good: assistant.content === '+' });
  }
  const first = steps[0]!.text;
  const separator = SEPARATORS.find((s) => first.includes(s));
  if (separator === undefined)
    return failure(`${key}.0: no place where the question ends and the first step begins`);
  const at = first.lastIndexOf(separator);
  // The step keeps its "Step 1: ", as the others do.
  const gap = /^\s+/.exec(separator)![0];
  steps[0] = { text: first.slice(at + gap.length), good: steps[0]!.good };
  return {
    ok: true,
    value: {
      problem: first.slice(0, at),
      truth: null,
      steps: steps.map(({ text, good }) => plainStep(text, good ? 1 : -1)),
      correct: null,
      source: 'rlhflow',
      rest: { ...restOf(parsed.value as unknown as JsonObject, [key]), '(key)': key, '(gap)': gap },
    },
  };
}

export function writeRlhflow(solution: LabelledSolution, options: BinaryOptions): Written<JsonObject> {
  if (!allFinite(solution.rest)) return failure('a number is not finite');
  const path = binaryPath(solution, options);
  if (path.steps.length === 0) return failure('a solution without steps has no turns');
  const own = solution.source === 'rlhflow';
  const gap = own && typeof solution.rest['(gap)'] === 'string' ? solution.rest['(gap)'] : '\n\n';
  const key = own && solution.rest['(key)'] === 'messages' ? 'messages' : 'conversations';
  const chat = path.steps.flatMap(({ text, good }, i): Json[] => [
    { role: 'user', content: i === 0 ? `${solution.problem}${gap}${text}` : text },
    { role: 'assistant', content: good ? '+' : '-' },
  ]);
  const value: JsonObject = { [key]: chat, ...(own ? restOf(solution.rest, ['(key)', '(gap)']) : {}) };
  const losses = [
    ...path.losses,
    ...truthLosses(solution),
    ...correctLosses(solution),
    ...restLosses(solution, 'rlhflow'),
  ];
  const again = parseRlhflow(JSON.stringify(value));
  if (!again.ok || again.value.problem !== solution.problem) losses.push('where the problem ends');
  return { ok: true, value, losses };
}
