import { LIMITS } from '../../domain/limits.ts';
import type { Problem } from '../../domain/problem.ts';
import {
  checkProblemText,
  checkSettings,
  DEFAULT_SETTINGS,
  type RunSettings,
} from '../../domain/settings.ts';
import type { BackendChoice } from '../../domain/run.ts';

type FieldTexts = Record<keyof RunSettings, string>;
/** Every field of the form that can be wrong. */
export type FieldName = 'problem' | 'answer' | keyof RunSettings;

/** The order in which fields stand on the page: the first bad one gets the focus. */
const FIELD_ORDER: readonly FieldName[] = [
  'problem',
  'answer',
  'n',
  'temperature',
  'seed',
  'topP',
  'topK',
  'minP',
  'maxTokens',
];

/** What the person has typed so far, kept as typed even where it is wrong. */
export class Draft {
  text = $state('');
  answer = $state('');
  backend = $state<BackendChoice>('auto');
  readonly fields = $state<FieldTexts>(textsOf(DEFAULT_SETTINGS));
  /** Whether an empty problem may be complained about: not before the person tried to run. */
  tried = $state(false);

  readonly #values = $derived(valuesOf(this.fields));
  readonly #faults = $derived.by(() => {
    const faults: Partial<Record<FieldName, string>> = {};
    for (const { field, message } of checkSettings(this.#values)) faults[field] = message;
    const problem = checkProblemText(this.text);
    if (problem !== null) faults.problem = problem;
    const length = this.answer.trim().length;
    if (length > LIMITS.maxAnswerCharacters) {
      faults.answer = `This answer has ${length} characters; at most ${LIMITS.maxAnswerCharacters} can be compared. Shorten it.`;
    }
    return faults;
  });

  /** What is wrong with a field, in words to be shown beside it; `null` if nothing, or not to be said yet. */
  faultOf(field: FieldName): string | null {
    if (field === 'problem' && !this.tried && this.text.trim() === '') return null;
    return this.#faults[field] ?? null;
  }

  /** N where it is valid, for the slider. */
  get lanes(): number | null {
    return this.#faults.n === undefined ? this.#values.n : null;
  }

  /** What would be run, or the first field that is in the way. */
  submit(): { readonly problem: Problem; readonly settings: RunSettings } | { readonly badField: FieldName } {
    this.tried = true;
    const badField = FIELD_ORDER.find((field) => this.#faults[field] !== undefined);
    if (badField !== undefined) return { badField };
    const answer = this.answer.trim();
    return {
      problem: { text: this.text.trim(), answer: answer === '' ? null : answer },
      settings: { ...this.#values },
    };
  }

  setProblem(text: string, answer: string | null): void {
    this.text = text;
    this.answer = answer ?? '';
    this.tried = false;
  }

  setSettings(settings: RunSettings): void {
    Object.assign(this.fields, textsOf(settings));
  }

  /** Whether this is the problem of a run, whatever the spaces around it. */
  isAbout(problem: Problem): boolean {
    return this.text.trim() === problem.text.trim();
  }
}

function textsOf(settings: RunSettings): FieldTexts {
  return {
    n: String(settings.n),
    temperature: String(settings.temperature),
    topK: String(settings.topK),
    topP: String(settings.topP),
    minP: String(settings.minP),
    maxTokens: String(settings.maxTokens),
    seed: String(settings.seed),
  };
}

function valuesOf(texts: FieldTexts): RunSettings {
  return {
    n: numberIn(texts.n),
    temperature: numberIn(texts.temperature),
    topK: numberIn(texts.topK),
    topP: numberIn(texts.topP),
    minP: numberIn(texts.minP),
    maxTokens: numberIn(texts.maxTokens),
    seed: numberIn(texts.seed),
  };
}

/** A number as people type it (`0.7`, `0,7`); NaN for anything else, where `Number` would take `''` or `0x10`. */
function numberIn(text: string): number {
  const plain = text.trim().replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
}
