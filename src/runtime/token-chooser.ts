import { LOGITS_FAULT, type ChosenToken, type RowRequest, type TokenFilter } from '../domain/token-choice.ts';
import shader from './choose-token.wgsl?raw';

/** GPUBufferUsage and GPUMapMode: workers of old browsers lack the constants. */
const USAGE = { mapRead: 1, copySource: 4, copyDestination: 8, uniform: 0x40, storage: 0x80 } as const;
const MAP_READ = 1;

/** What the shader says in place of a token. */
const NO_TOKEN = 0xffff_ffff;
const NOT_A_NUMBER = 0xffff_fffe;
const NOT_FINITE = 0xffff_fffd;

const FILTER_BYTES = 32;
const REQUEST_WORDS = 3;
const CHOICE_WORDS = 2;

/** Rows of logits on the GPU. */
export interface LogitRows {
  readonly buffer: GPUBuffer;
  /** Index of the first logit of a row. */
  baseOf(row: number): number;
}

interface Buffers {
  readonly capacity: number;
  readonly requests: GPUBuffer;
  readonly choices: GPUBuffer;
  readonly read: GPUBuffer;
}

/**
 * Chooses tokens on the GPU from logits that never leave it: a token and its log-probability are read back for each
 * request. Chooses what the processor would (sampling/choose-token.ts), but for draws within rounding of an edge
 * between two tokens.
 */
export class TokenChooser {
  readonly #device: GPUDevice;
  readonly #vocabulary: number;
  readonly #pipeline: GPUComputePipeline;
  readonly #filter: GPUBuffer;
  #buffers: Buffers | null = null;

  private constructor(device: GPUDevice, vocabulary: number, pipeline: GPUComputePipeline) {
    this.#device = device;
    this.#vocabulary = vocabulary;
    this.#pipeline = pipeline;
    this.#filter = device.createBuffer({ size: FILTER_BYTES, usage: USAGE.uniform | USAGE.copyDestination });
  }

  /**
   * Compiles the shader.
   *
   * @param vocabulary logits in a row
   * @param type of the logits
   * @throws GPUPipelineError if the device cannot run it
   */
  static async create(
    device: GPUDevice,
    vocabulary: number,
    type: 'float32' | 'float16',
  ): Promise<TokenChooser> {
    const pipeline = await device.createComputePipelineAsync({
      layout: 'auto',
      compute: {
        module: device.createShaderModule({ code: shader }),
        entryPoint: 'choose',
        constants: { HALF: type === 'float16' ? 1 : 0 },
      },
    });
    return new TokenChooser(device, vocabulary, pipeline);
  }

  /** Answers all requests in their order, with one pass and one read. @throws RangeError as `DeviceLogits` says */
  async choose(
    rows: LogitRows,
    requests: readonly RowRequest[],
    filter: TokenFilter,
  ): Promise<readonly ChosenToken[]> {
    if (requests.length === 0) return [];
    const device = this.#device;
    const buffers = this.#buffersFor(requests.length);
    device.queue.writeBuffer(this.#filter, 0, filterBytes(filter, this.#vocabulary));
    device.queue.writeBuffer(buffers.requests, 0, requestWords(rows, requests));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipeline);
    const bound = [this.#filter, buffers.requests, rows.buffer, buffers.choices];
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: this.#pipeline.getBindGroupLayout(0),
        entries: bound.map((buffer, binding) => ({ binding, resource: { buffer } })),
      }),
    );
    pass.dispatchWorkgroups(requests.length);
    pass.end();
    const bytes = 4 * CHOICE_WORDS * requests.length;
    encoder.copyBufferToBuffer(buffers.choices, 0, buffers.read, 0, bytes);
    device.queue.submit([encoder.finish()]);

    await buffers.read.mapAsync(MAP_READ, 0, bytes);
    const words = new Uint32Array(buffers.read.getMappedRange(0, bytes).slice(0));
    buffers.read.unmap();
    const floats = new Float32Array(words.buffer);
    return requests.map((_, i) => {
      const token = words[CHOICE_WORDS * i]!;
      if (token === NOT_A_NUMBER) throw new RangeError(LOGITS_FAULT.notANumber);
      if (token === NOT_FINITE) throw new RangeError(LOGITS_FAULT.notFinite);
      if (token >= this.#vocabulary) throw new RangeError('The GPU chose a token that is not there.');
      return { token, logprob: floats[CHOICE_WORDS * i + 1]! };
    });
  }

  /** Frees its buffers. */
  dispose(): void {
    this.#filter.destroy();
    this.#free();
  }

  #free(): void {
    if (this.#buffers === null) return;
    const { requests, choices, read } = this.#buffers;
    for (const buffer of [requests, choices, read]) buffer.destroy();
    this.#buffers = null;
  }

  #buffersFor(count: number): Buffers {
    if (this.#buffers !== null && this.#buffers.capacity >= count) return this.#buffers;
    this.#free();
    const buffer = (words: number, usage: number): GPUBuffer =>
      this.#device.createBuffer({ size: 4 * words * count, usage });
    this.#buffers = {
      capacity: count,
      requests: buffer(REQUEST_WORDS, USAGE.storage | USAGE.copyDestination),
      choices: buffer(CHOICE_WORDS, USAGE.storage | USAGE.copySource),
      read: buffer(CHOICE_WORDS, USAGE.mapRead | USAGE.copyDestination),
    };
    return this.#buffers;
  }
}

/** A number in [0, 1) as a share of 2^32. */
const shareOf32 = (value: number): number => Math.min(2 ** 32 - 1, Math.floor(value * 2 ** 32));

/** The shader's `Filter`. */
function filterBytes(
  { temperature, topK, topP, minP }: TokenFilter,
  vocabulary: number,
): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(FILTER_BYTES));
  view.setUint32(0, vocabulary, true);
  view.setFloat32(4, temperature, true);
  view.setUint32(8, topK < vocabulary ? topK : 0, true);
  view.setUint32(12, topP < 1 ? Math.max(1, shareOf32(topP)) : 0, true);
  // p / p_max >= minP, compared in log space. Shaders need not know infinities.
  view.setFloat32(16, minP > 0 ? Math.log(minP) * temperature : -3e38, true);
  return view;
}

/** The shader's list of `Request`. */
function requestWords(rows: LogitRows, requests: readonly RowRequest[]): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(
    requests.flatMap((request) => [
      rows.baseOf(request.row),
      request.kind === 'draw' ? shareOf32(request.u) : 0,
      request.kind === 'read' ? request.token : NO_TOKEN,
    ]),
  );
}
