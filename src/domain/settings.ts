import { LIMITS } from './limits.ts';

/** How a run samples. Together with the model revision and the device kind, these identify a run. */
export interface RunSettings {
  /** Number of lanes N, 1 to 64. */
  readonly n: number;
  /** Softmax temperature; 0 is greedy. */
  readonly temperature: number;
  /** Keep only the k most likely tokens; 0 keeps all. */
  readonly topK: number;
  /** Keep the smallest set of tokens whose probability reaches this; 1 keeps all. */
  readonly topP: number;
  /** Drop tokens less likely than this share of the most likely one; 0 drops none. */
  readonly minP: number;
  /** Tokens that one lane may write before it ends by length. */
  readonly maxTokens: number;
  /** Unsigned 32-bit seed; lane i draws from a stream of its own derived from (seed, i). */
  readonly seed: number;
}

export const DEFAULT_SETTINGS: RunSettings = {
  n: 8,
  temperature: 1,
  topK: 0,
  topP: 1,
  minP: 0,
  maxTokens: 160,
  seed: 1,
};

/** What is wrong with one field of the settings, in words that say what to do. */
export interface SettingsFault {
  readonly field: keyof RunSettings;
  readonly message: string;
}

const RULES: Record<
  keyof RunSettings,
  { name: string; min: number; max: number; integer: boolean; hint: string }
> = {
  n: { name: 'N', min: 1, max: LIMITS.maxLanes, integer: true, hint: 'the number of solutions' },
  temperature: {
    name: 'Temperature',
    min: 0,
    max: LIMITS.maxTemperature,
    integer: false,
    hint: '0 is greedy',
  },
  topK: { name: 'Top-k', min: 0, max: 1_000_000, integer: true, hint: '0 keeps all tokens' },
  topP: { name: 'Top-p', min: 0.01, max: 1, integer: false, hint: '1 keeps all tokens' },
  minP: { name: 'Min-p', min: 0, max: 1, integer: false, hint: '0 keeps all tokens' },
  maxTokens: {
    name: 'Max tokens',
    min: 1,
    max: LIMITS.maxTokens,
    integer: true,
    hint: 'tokens a lane may write',
  },
  seed: {
    name: 'Seed',
    min: 0,
    max: LIMITS.maxSeed,
    integer: true,
    hint: 'the same seed gives the same solutions',
  },
};

/**
 * Checks every field against its range. Returns one fault per bad field, an empty list if all are good.
 * Takes `unknown` values because settings arrive from forms, links and files.
 */
export function checkSettings(settings: Readonly<Record<keyof RunSettings, unknown>>): SettingsFault[] {
  const faults: SettingsFault[] = [];
  for (const field of Object.keys(RULES) as (keyof RunSettings)[]) {
    const { name, min, max, integer, hint } = RULES[field];
    const value = settings[field];
    const good =
      typeof value === 'number' &&
      Number.isFinite(value) &&
      (!integer || Number.isInteger(value)) &&
      value >= min &&
      value <= max;
    if (!good) {
      const kind = integer ? 'a whole number' : 'a number';
      faults.push({ field, message: `${name} must be ${kind} from ${min} to ${max} (${hint}).` });
    }
  }
  return faults;
}

/** Says what is wrong with a problem's text, or `null` if it can be run. */
export function checkProblemText(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return 'Type a maths problem first, or choose one of the examples.';
  if (trimmed.length > LIMITS.maxProblemCharacters) {
    return `This problem has ${trimmed.length.toLocaleString('en')} characters; at most ${LIMITS.maxProblemCharacters.toLocaleString('en')} can be run. Shorten it.`;
  }
  return null;
}
