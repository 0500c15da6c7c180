import { createContext, tick } from 'svelte';
import {
  DEFAULT_THRESHOLD,
  type NeutralRule,
  type PickMethod,
  type PickOptions,
  type Reduction,
} from '../../domain/pick.ts';
import type { Run } from '../../domain/run.ts';
import type { Session } from '../../session/session.svelte.ts';
import { availableFilters, orderLanes, type LaneFilter, type LaneOrder } from '../lanes/ordering.ts';
import { Draft, type FieldName } from './draft.svelte.ts';
import { factsOf, sameFacts, type Facts } from './facts.ts';
import { OwnModels } from '../models/own-models.svelte.ts';
import { byNeutralRule, hasClasses } from './neutral.ts';

/** What the page needs of a session. */
export type PageSession = Readonly<
  globalThis.Pick<Session, 'model' | 'bundled' | 'choice' | 'toFetch' | 'run' | 'origin' | 'busy'>
> &
  globalThis.Pick<
    Session,
    'fault' | 'describe' | 'choose' | 'withoutDownload' | 'start' | 'prepare' | 'cancel' | 'show' | 'score'
  > &
  globalThis.Pick<Session, 'addLanes' | 'resume' | 'resample' | 'rescore' | 'explainStep'>;

/** What is emphasised among the lanes: those of one pick, or those with one answer. */
export type Highlight =
  | { readonly kind: 'method'; readonly method: PickMethod }
  | { readonly kind: 'answer'; readonly ballot: number };

/** A step, by lane and index. */
export interface StepPlace {
  readonly lane: number;
  readonly step: number;
}

export type LaneView = 'auto' | 'full' | 'compact';

/** What was on the screen and in the form. */
export type PlaygroundSnapshot = globalThis.Pick<PageSession, 'run' | 'origin'> &
  globalThis.Pick<Draft, 'text' | 'answer' | 'fields'>;

/** More lanes than this are shown as rows unless the person chose otherwise. */
const FULL_VIEW_LANES = 16;

const NO_FACTS: Facts = { picks: [], ballots: [], lanes: [] };

/** The page's own state: how a run is looked at. Everything about the run itself is derived from the session. */
export class Playground {
  readonly session: PageSession;
  readonly draft = new Draft();
  /** Models that the person added, and which are in use. */
  readonly own: OwnModels;

  reduction = $state<Reduction>('product');
  threshold = $state(DEFAULT_THRESHOLD);
  /** What neutral counts as, where verdicts have three classes. */
  neutral = $state<NeutralRule>('positive');
  order = $state<LaneOrder>('lane');
  view = $state<LaneView>('auto');
  highlight = $state.raw<Highlight | null>(null);
  /** Whether the page is laid out for paper. */
  printing = $state(false);
  /** Whether the panel about the current step is open. */
  inspecting = $state(false);

  #filter = $state<LaneFilter>('all');
  #firstLanes = $state<number | null>(null);
  #cursor = $state.raw<StepPlace | null>(null);
  #noted = $state.raw<{ readonly run: Run; readonly notes: readonly string[] } | null>(null);
  #lastSettled: Run | null = null;

  constructor(session: PageSession) {
    this.session = session;
    this.own = new OwnModels(session);
  }

  /** The run with the rewards in use: where verdicts have three classes, those of the neutral rule. */
  readonly run = $derived.by(() => byNeutralRule(this.session.run, this.neutral));
  /** Whether there is a neutral class to decide about. */
  readonly hasNeutral = $derived.by(() => hasClasses(this.session.run));
  /** What a person must know about data that was opened; sentences. */
  readonly notes: readonly string[] = $derived.by(() => {
    const noted = this.#noted;
    return noted !== null && this.session.run === noted.run ? noted.notes : [];
  });
  readonly lanes = $derived.by(() => this.run?.solutions.length ?? 0);
  readonly running = $derived.by(() => this.run?.status.kind === 'running' && this.session.busy);

  /** The run, but the same object for as long as only lines in progress have changed. */
  readonly #settled = $derived.by(() => {
    const run = this.run;
    if (run === null || this.#lastSettled === null || !sameFacts(this.#lastSettled, run))
      this.#lastSettled = run;
    return this.#lastSettled;
  });

  /** Picks look at the first n lanes only. */
  readonly firstLanes = $derived.by(() => Math.min(this.#firstLanes ?? this.lanes, this.lanes));

  readonly pickOptions: PickOptions = $derived.by(() => ({
    reduction: this.reduction,
    n: this.firstLanes,
    neutral: this.neutral,
  }));

  readonly facts: Facts = $derived.by(() =>
    this.#settled === null ? NO_FACTS : factsOf(this.#settled, this.pickOptions, this.threshold),
  );

  readonly filters = $derived.by(() => availableFilters(this.facts.lanes, this.#settled?.solutions ?? []));
  /** The chosen filter, if it still applies to this run. */
  readonly filter: LaneFilter = $derived.by(() =>
    this.filters.some(({ filter }) => filter === this.#filter) ? this.#filter : 'all',
  );

  /** Lanes to show, in order. While a run is under way they stay in their places. */
  readonly shownLanes = $derived.by(() =>
    orderLanes(
      this.facts.lanes,
      this.#settled?.solutions ?? [],
      this.running ? 'lane' : this.order,
      this.filter,
    ),
  );

  /** Rows have no room for the text of steps, which paper needs: nobody can open a step there. */
  readonly compact = $derived.by(
    () => !this.printing && (this.view === 'auto' ? this.lanes > FULL_VIEW_LANES : this.view === 'compact'),
  );

  /** Lanes to emphasise; `null` if none in particular. */
  readonly highlighted: ReadonlySet<number> | null = $derived.by(() => {
    const highlight = this.highlight;
    if (highlight === null) return null;
    if (highlight.kind === 'answer') return new Set(this.facts.ballots[highlight.ballot]?.lanes);
    const pick = this.facts.picks.find(({ method }) => method === highlight.method);
    if (pick?.kind !== 'picked') return null;
    if (pick.reason.kind === 'best-score') return new Set([pick.lane]);
    const group = this.facts.lanes[pick.lane]?.group;
    return new Set(this.facts.ballots[group ?? -1]?.lanes);
  });

  /** The step that can be reached with Tab, and that the panel is about. */
  readonly cursor: StepPlace | null = $derived.by(() => {
    const solutions = this.#settled?.solutions ?? [];
    const wanted = this.#cursor;
    if (wanted !== null && this.shownLanes.includes(wanted.lane)) {
      const steps = solutions[wanted.lane]?.steps.length ?? 0;
      if (steps > 0) return { lane: wanted.lane, step: Math.min(wanted.step, steps - 1) };
    }
    const first = this.shownLanes.find((lane) => (solutions[lane]?.steps.length ?? 0) > 0);
    return first === undefined ? null : { lane: first, step: 0 };
  });

  setFilter(filter: LaneFilter): void {
    this.#filter = filter;
  }

  setFirstLanes(count: number): void {
    this.#firstLanes = count >= this.lanes ? null : count;
  }

  toggleHighlight(highlight: Highlight): void {
    const now = this.highlight;
    const same =
      now !== null &&
      now.kind === highlight.kind &&
      (now.kind === 'method'
        ? highlight.kind === 'method' && now.method === highlight.method
        : highlight.kind === 'answer' && now.ballot === highlight.ballot);
    this.highlight = same ? null : highlight;
  }

  moveTo(place: StepPlace): void {
    this.#cursor = place;
  }

  /** Opens a step that has just been written, whatever filter is on. */
  reveal(place: StepPlace): void {
    this.#filter = 'all';
    this.inspect(place);
    void tick().then(() =>
      document.querySelector(`[aria-labelledby="lane-${place.lane}"]`)?.scrollIntoView({ block: 'center' }),
    );
  }

  inspect(place: StepPlace): void {
    this.#cursor = place;
    this.inspecting = true;
  }

  /** Runs what was typed; returns the first bad field if there is one. */
  start(): FieldName | null {
    const request = this.draft.submit();
    if ('badField' in request) return request.badField;
    this.#forgetRun();
    void this.session.start(request.problem, request.settings, this.draft.backend);
    return null;
  }

  /** Puts a recorded run on the screen, and what made it into the form: Run makes the same again. */
  showRecorded(run: Run): void {
    this.#forgetRun();
    this.session.show(run, 'recorded');
    this.draft.setProblem(run.problem.text, run.problem.answer);
    this.draft.setSettings(run.settings);
  }

  /** Puts a run from a link, a file or the kept ones on the screen, and what made it into the form. */
  showOpened(run: Run): void {
    this.#forgetRun();
    this.session.show(run, 'opened');
    this.draft.setProblem(run.problem.text, run.problem.answer);
    this.draft.setSettings(run.settings);
  }

  /** Puts somebody's data on the screen, and its problem into the form. */
  showImported(run: Run, notes: readonly string[]): void {
    this.#forgetRun();
    this.session.show(run, 'opened');
    this.#noted = { run, notes };
    this.draft.setProblem(run.problem.text, run.problem.answer);
  }

  /** What is on the screen and in the form, to come back to. */
  snapshot(): PlaygroundSnapshot {
    const { run, origin } = this.session;
    const { text, answer, fields } = this.draft;
    return { run, origin, text, answer, fields: { ...fields } };
  }

  /** Goes back to a snapshot; a run that was started since stays. */
  restore({ run, origin, text, answer, fields }: PlaygroundSnapshot): void {
    if (this.session.busy || this.session.origin === 'live' || run === null) return;
    if (run !== this.session.run) {
      this.#forgetRun();
      this.session.show(run, origin);
    }
    this.draft.setProblem(text, answer);
    Object.assign(this.draft.fields, fields);
  }

  /** Looks at the run as at first: all lanes in order, as cards, by the product of the rewards. */
  resetView(): void {
    this.#forgetRun();
    this.reduction = 'product';
    this.threshold = DEFAULT_THRESHOLD;
    this.neutral = 'positive';
    this.order = 'lane';
    this.view = 'auto';
  }

  /** What the person pointed at belongs to the run that was on the screen. */
  #forgetRun(): void {
    this.highlight = null;
    this.inspecting = false;
    this.#cursor = null;
    this.#firstLanes = null;
    this.#filter = 'all';
  }
}

export const [usePlayground, providePlayground] = createContext<Playground>();
