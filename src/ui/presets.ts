import { LEVELS, type Level } from '../formats/recorded-index.ts';
import presets from './presets.json';

/** A problem to start from, with its correct answer. */
export interface Preset {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly text: string;
  readonly answer: string;
  /** The seed that its recorded run is made with. */
  readonly seed: number;
  /** What is interesting about it, in a sentence: shown with its recorded run. */
  readonly why: string;
}

export const LEVEL_TITLES: Readonly<Record<Level, string>> = { easy: 'Easy', middle: 'Middle', hard: 'Hard' };

/** The list in presets.json: data, so that it can be made from measured runs. */
export const PRESETS: readonly Preset[] = presets.filter((preset): preset is typeof preset & Preset =>
  LEVELS.some((level) => level === preset.level),
);
