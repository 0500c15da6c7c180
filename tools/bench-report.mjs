/** From the clocks of the benchmark to the ratios and the table that it prints. Pure: no clock is read here. */

/** @typedef {'wasm' | 'webgpu'} Backend */
/** @typedef {'sequential-generate' | 'batched-generate' | 'step-by-step-scoring' | 'no-live-scoring'} Against */
/** @typedef {import('./bench-page/bench-worker.ts').GenerationTiming} GenerationTiming */
/** @typedef {import('./bench-page/bench-worker.ts').PairTiming} PairTiming */
/** @typedef {import('./bench-page/bench-worker.ts').VocabularyTiming} VocabularyTiming */

/**
 * What was measured for one N on one backend; the rounds of a list were measured one after the other.
 * @typedef {object} Measured
 * @property {Backend} backend
 * @property {number} n
 * @property {readonly GenerationTiming[]} generation
 * @property {readonly PairTiming[]} liveScoring
 * @property {readonly PairTiming[]} stepScoring
 */

/** @typedef {{ backend: Backend, n: number, against: Against, ratio: number, low: number, high: number }} Ratio */
/** @typedef {{ backend: Backend, n: number, insideRuntime: number }} Share */
/** @typedef {{ backend: Backend, n: number, own: number, batched: number, sequential: number }} FirstToken */
/** @typedef {{ backend: Backend, n: number, own: number, batched: number, sequential: number }} Speed */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** @param {{ ms: number, tokens: number }} timing */
const perToken = ({ ms, tokens }) => ms / tokens;

/**
 * How many times as long the other way takes for the same work: the median over rounds, the least and the greatest.
 * @param {Measured} measured
 * @param {Against} against
 * @param {readonly number[]} rounds
 * @returns {Ratio[]} none if nothing was measured
 */
function ratioOf({ backend, n }, against, rounds) {
  if (rounds.length === 0) return [];
  return [
    { backend, n, against, ratio: median(rounds), low: Math.min(...rounds), high: Math.max(...rounds) },
  ];
}

/**
 * @param {readonly Measured[]} list
 * @returns {{ ratios: Ratio[], shares: Share[], firstToken: FirstToken[], speed: Speed[] }}
 */
export function summarise(list) {
  const ratios = list.flatMap((measured) => {
    const { generation, liveScoring, stepScoring } = measured;
    /** @param {'batched' | 'sequential'} other */
    const slower = (other) => generation.map((round) => perToken(round[other]) / perToken(round.own));
    /** @param {readonly PairTiming[]} pairs */
    const pairwise = (pairs) => pairs.map(({ ownMs, otherMs }) => otherMs / ownMs);
    return [
      ...ratioOf(measured, 'sequential-generate', slower('sequential')),
      ...ratioOf(measured, 'batched-generate', slower('batched')),
      ...ratioOf(measured, 'step-by-step-scoring', pairwise(stepScoring)),
      ...ratioOf(measured, 'no-live-scoring', pairwise(liveScoring)),
    ];
  });
  const generated = list.filter(({ generation }) => generation.length > 0);
  /**
   * @param {Measured} measured
   * @param {(timing: import('./bench-page/bench-worker.ts').Timing) => number} value
   */
  const threeWays = ({ backend, n, generation }, value) => ({
    backend,
    n,
    own: median(generation.map(({ own }) => value(own))),
    batched: median(generation.map(({ batched }) => value(batched))),
    sequential: median(generation.map(({ sequential }) => value(sequential))),
  });
  return {
    ratios,
    shares: generated.map(({ backend, n, generation }) => ({
      backend,
      n,
      insideRuntime: median(generation.map(({ own }) => own.forwardMs / own.ms)),
    })),
    firstToken: generated.map((measured) => threeWays(measured, ({ firstTokenMs }) => firstTokenMs)),
    speed: generated.map((measured) => threeWays(measured, ({ ms, tokens }) => (1000 * tokens) / ms)),
  };
}

/**
 * Sampling's share of a decoding step.
 * @param {readonly VocabularyTiming[]} steps
 */
export function samplingShare(steps) {
  const shares = steps.map(({ forwardMs, samplingMs }) => samplingMs / (forwardMs + samplingMs));
  return {
    share: median(shares),
    low: Math.min(...shares),
    high: Math.max(...shares),
    forwardMs: median(steps.map(({ forwardMs }) => forwardMs)),
    samplingMs: median(steps.map(({ samplingMs }) => samplingMs)),
  };
}

/** @type {Readonly<Record<Backend, string>>} */
const backendNames = { wasm: 'WASM', webgpu: 'WebGPU' };

/** @param {number} value */
const times = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1));

/**
 * The table, in Markdown.
 * @param {ReturnType<typeof summarise>} summary
 */
export function markdownTable({ ratios, shares, firstToken, speed }) {
  const head = [
    'backend',
    'N',
    'tokens/s',
    'N x generate()',
    'one batched generate()',
    'a pass per step',
    'no live scoring',
    'in the runtime',
    'first token, ms',
  ];
  const keys = new Map([...ratios, ...shares].map(({ backend, n }) => [`${backend} ${n}`, { backend, n }]));
  const rows = [...keys.values()].map((key) => {
    /** @template {{ backend: Backend, n: number }} T @param {readonly T[]} list */
    const here = (list) => list.filter(({ backend, n }) => backend === key.backend && n === key.n);
    /** @param {Against} against */
    const cell = (against) => {
      const found = here(ratios).find((ratio) => ratio.against === against);
      return found === undefined ? '' : `${times(found.ratio)} (${times(found.low)} to ${times(found.high)})`;
    };
    const [share] = here(shares);
    const [first] = here(firstToken);
    const [rate] = here(speed);
    return [
      backendNames[key.backend],
      String(key.n),
      rate === undefined ? '' : rate.own.toFixed(0),
      cell('sequential-generate'),
      cell('batched-generate'),
      cell('step-by-step-scoring'),
      cell('no-live-scoring'),
      share === undefined ? '' : `${(100 * share.insideRuntime).toFixed(0)}%`,
      first === undefined
        ? ''
        : `${first.own.toFixed(0)} / ${first.batched.toFixed(0)} / ${first.sequential.toFixed(0)}`,
    ];
  });
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
