import { checkChange } from '../../../src/domain/change.ts';
import { fold, type Run, type RunEvent } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS, type RunSettings } from '../../../src/domain/settings.ts';
import { encodeScript } from '../../../src/sampling/lane-script.ts';
import { encodePrompt } from '../../../src/sampling/prompt.ts';
import { freshLane, sampleLanes, type LaneStart } from '../../../src/sampling/sample-lanes.ts';
import { LaneMemory } from '../../../src/worker/lane-memory.ts';
import { planChange, statusBeside, sumStats, type SampledChange } from '../../../src/worker/plan.ts';
import { answerOf, FakeDecoder, tokenizer } from '../sampling/fake-model.ts';

/** What the engine does around the sampler, without the runtime. */
export class FakeEngine {
  readonly memory = new LaneMemory();
  readonly decoder: FakeDecoder;
  readonly events: RunEvent[] = [];
  sampled = 0;

  constructor(decoder = new FakeDecoder()) {
    this.decoder = decoder;
  }

  /** @param passes after how many passes it is cancelled */
  async start(settings: Partial<RunSettings>, passes = Infinity): Promise<Run> {
    const whole = { ...DEFAULT_SETTINGS, maxTokens: 60, ...settings };
    const opening: RunEvent = {
      type: 'started',
      problem: { text: 'abc', answer: null },
      settings: whole,
      models: {
        generator: { id: 'fake', revision: '0', dtype: 'fp32' },
        prm: { id: 'fake', revision: '0', dtype: 'fp32' },
        orm: null,
      },
      backend: 'wasm',
    };
    const starts = Array.from({ length: whole.n }, (_, lane) => freshLane(lane));
    const run = fold(null, [opening]);
    return this.#leg(run!, null, starts, [opening], passes);
  }

  /** @param forgetful whether the tokens are read from the text, as of a run that was made elsewhere */
  async goOn(run: Run, change: SampledChange, { passes = Infinity, forgetful = false } = {}): Promise<Run> {
    const fault = checkChange(run, change);
    if (fault !== null) throw new Error(fault);
    const memory = forgetful ? new LaneMemory() : this.memory;
    const { text } = run.problem;
    const plan = planChange(run, change, {
      whole: ({ lane, steps, partial }) => {
        const lines = steps.map((step) => step.text);
        return memory.whole(text, lane, lines, partial) ?? encodeScript(tokenizer, lines, partial);
      },
      steps: ({ lane, steps }, count) => {
        const lines = steps.slice(0, count).map((step) => step.text);
        return memory.steps(text, lane, lines) ?? encodeScript(tokenizer, lines, '');
      },
    });
    return this.#leg(run, change, plan.starts, plan.opening, passes);
  }

  async #leg(
    before: Run,
    change: SampledChange | null,
    starts: readonly LaneStart[],
    opening: readonly RunEvent[],
    passes: number,
  ): Promise<Run> {
    const events: RunEvent[] = [...opening];
    let tokens = 0;
    const prompt = encodePrompt(tokenizer, before.problem.text);
    const { settings } = fold(before, opening)!;
    const { status, scripts } = await sampleLanes(this.decoder, tokenizer, prompt, settings, starts, {
      stepRule: 'line',
      emit: (event) => events.push(event),
      sampled: () => tokens++,
      answerOf,
      rewardsOf: ({ rewards }, row) => ({ step: rewards![row * 2]!, outcome: rewards![row * 2 + 1]! }),
      proceed: () => Promise.resolve(passes-- > 0),
    });
    this.memory.keep(before.problem.text, scripts);
    this.sampled += tokens;
    events.push({
      type: 'finished',
      status: change === null ? status : statusBeside(before, change, status),
      stats: sumStats(before.stats, { wallMs: 1, forwardMs: 1, firstTokenMs: 1, tokens }),
    });
    this.events.push(...events);
    return fold(before, events)!;
  }
}
