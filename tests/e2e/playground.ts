import { expect, type Locator, type Page } from '@playwright/test';
import { fold, type Run, type RunEvent } from '../../src/domain/run.ts';
import type { Solution } from '../../src/domain/solution.ts';
import type { Watch } from './fixtures.ts';

/** A problem that is no preset, of a kind that the bundled models know. */
export const TYPED =
  'Nora has 3 bags with 14 marbles each. She gives away 12 marbles. How many marbles are left?';

/** The ways of picking that stand side by side. */
export const METHODS = ['PRM best-of-N', 'ORM best-of-N', 'Majority vote', 'PRM-weighted vote'] as const;

type Recording = Window & { recordedRunEvents?: RunEvent[] };

interface EngineCall {
  readonly argumentList?: readonly {
    readonly value?: { readonly kind?: string; readonly events?: RunEvent[] };
  }[];
}

/** Runs in the page, before its scripts: keeps every event of a run that the worker sends through a channel. */
function recordRunEvents(): void {
  const events: RunEvent[] = [];
  (window as Recording).recordedRunEvents = events;
  window.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      this.port1.addEventListener('message', ({ data }: MessageEvent<EngineCall | null>) => {
        for (const { value } of data?.argumentList ?? []) {
          if (value?.kind === 'run') events.push(...(value.events ?? []));
        }
      });
    }
  };
}

/** The page as a person uses it. */
export class PlaygroundPage {
  readonly page: Page;
  readonly problem: Locator;
  readonly answer: Locator;
  readonly runButton: Locator;
  readonly cancelButton: Locator;
  /** What went wrong, in words. */
  readonly fault: Locator;
  readonly lanes: Locator;

  constructor(page: Page) {
    this.page = page;
    this.problem = page.getByRole('textbox', { name: 'Problem', exact: true });
    this.answer = page.getByRole('textbox', { name: /^Correct answer/ });
    this.runButton = page.getByRole('button', { name: /^Run\b/ });
    this.cancelButton = page.getByRole('button', { name: /^Cancel\b/ });
    this.fault = page.getByRole('alert');
    this.lanes = page.getByRole('list', { name: 'Lanes', exact: true }).getByRole('article');
  }

  async open(address = './'): Promise<void> {
    await this.page.addInitScript(recordRunEvents);
    await this.page.goto(address);
    await expect(this.runButton).toBeVisible();
  }

  /** A number of the form, by its label. */
  field(label: 'Solutions (N)' | 'Temperature' | 'Seed' | 'Max tokens' | 'Top-k'): Locator {
    return this.page.getByRole('textbox', { name: label, exact: true });
  }

  async type(problem: string, settings: { n?: number; seed?: number; answer?: string } = {}): Promise<void> {
    await this.problem.fill(problem);
    await this.answer.fill(settings.answer ?? '');
    if (settings.n !== undefined) await this.field('Solutions (N)').fill(String(settings.n));
    if (settings.seed !== undefined) await this.field('Seed').fill(String(settings.seed));
  }

  async setAdvanced(label: 'Max tokens' | 'Top-k', value: number): Promise<void> {
    if (!(await this.field(label).isVisible()))
      await this.page.getByText('Advanced', { exact: true }).click();
    await this.field(label).fill(String(value));
  }

  stepsOf(lane: number): Locator {
    return this.page.locator(`[data-lane="${lane}"][data-step]`);
  }

  /** What a screen reader says of each step of a lane: its text and its reward. */
  async stepNames(lane: number): Promise<string[]> {
    return this.stepsOf(lane).evaluateAll((steps) =>
      steps.map((step) => step.getAttribute('aria-label') ?? ''),
    );
  }

  pick(method: (typeof METHODS)[number]): Locator {
    return this.page
      .getByRole('article')
      .filter({ has: this.page.getByRole('button', { name: method, exact: true }) });
  }

  /** Events of all runs since the page was opened. */
  async events(): Promise<RunEvent[]> {
    return this.page.evaluate(() => (window as Recording).recordedRunEvents ?? []);
  }

  async countOf(type: RunEvent['type']): Promise<number> {
    return this.page.evaluate(
      (wanted) =>
        ((window as Recording).recordedRunEvents ?? []).filter((event) => event.type === wanted).length,
      type,
    );
  }

  /** The last run that was started, as far as its events have come. */
  async lastRun(): Promise<Run> {
    const events = await this.events();
    const begin = events.findLastIndex(({ type }) => type === 'started');
    const run = begin < 0 ? null : fold(null, events.slice(begin));
    if (run === null) throw new Error('No run was started.');
    return run;
  }

  /** Presses Run, waits for the end and returns the run; loading included. */
  async run(): Promise<Run> {
    const before = await this.countOf('finished');
    await this.runButton.click();
    await this.finished(before);
    return this.lastRun();
  }

  async finished(before: number): Promise<void> {
    await expect
      .poll(
        async () =>
          (await this.countOf('finished')) > before ? 'finished' : ((await this.faultText()) ?? 'running'),
        { timeout: 400_000, intervals: [100, 250, 500] },
      )
      .toBe('finished');
    await expect(this.runButton).toBeVisible();
  }

  async faultText(): Promise<string | null> {
    return (await this.fault.count()) === 0 ? null : (await this.fault.allInnerTexts()).join(' ');
  }
}

/** What a lane wrote, without the numbers that a different batch may round differently. */
export function writingOf({ steps, partial, end, answer }: Solution) {
  return { steps: steps.map(({ text, tokens }) => ({ text, tokens })), partial, end, answer };
}

/** Takes errors that a test provoked on purpose out of the watch; others stay. */
export function forgive(watch: Watch, provoked: RegExp): void {
  const rest = watch.errors.filter((error) => !provoked.test(error));
  watch.errors.splice(0, watch.errors.length, ...rest);
}
