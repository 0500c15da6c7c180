import { Tensor } from 'onnxruntime-web/webgpu';
import type { DeviceLogits } from '../domain/token-choice.ts';
import { TokenChooser } from './token-chooser.ts';

/** GPUBufferUsage: STORAGE | COPY_SRC | COPY_DST, the flags that the runtime gives its own buffers. */
const STORAGE_AND_COPY = 0x80 | 0x04 | 0x08;

/**
 * From this vocabulary on, reading all logits back for each token costs more than choosing on the GPU. Below, the
 * processor chooses, so that a seed gives the same tokens on every device which computes the same logits.
 */
export const LARGE_VOCABULARY = 32_768;

/** Shape of a pass's logits. */
export interface LogitsShape {
  readonly rows: number;
  /** Positions of each row that the graph computes logits for; tokens are chosen at the last. */
  readonly positions: number;
}

/** A place on the GPU for a pass's logits: the tensor is for the runtime to write to. */
export interface PlacedLogits {
  readonly tensor: Tensor;
  /** Valid until the next place is asked for. */
  readonly logits: DeviceLogits;
}

/** Keeps the logits of a large vocabulary on the GPU: the runtime writes them to a buffer of ours, which lasts. */
export class GpuLogits {
  readonly #device: GPUDevice;
  readonly #chooser: TokenChooser;
  readonly #vocabulary: number;
  readonly #type: 'float32' | 'float16';
  #buffer: GPUBuffer | null = null;

  private constructor(
    device: GPUDevice,
    chooser: TokenChooser,
    vocabulary: number,
    type: 'float32' | 'float16',
  ) {
    this.#device = device;
    this.#chooser = chooser;
    this.#vocabulary = vocabulary;
    this.#type = type;
  }

  /** @throws GPUPipelineError if the device cannot run the shader */
  static async create(
    device: GPUDevice,
    vocabulary: number,
    type: 'float32' | 'float16',
  ): Promise<GpuLogits> {
    return new GpuLogits(device, await TokenChooser.create(device, vocabulary, type), vocabulary, type);
  }

  /** `null` if the logits are too many for one buffer: they must be read back then. */
  place({ rows, positions }: LogitsShape): PlacedLogits | null {
    const count = rows * positions * this.#vocabulary;
    // The shader reads whole words.
    const size = 4 * Math.ceil((count * (this.#type === 'float32' ? 4 : 2)) / 4);
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#device.limits;
    if (size > Math.min(maxBufferSize, maxStorageBufferBindingSize)) return null;
    if (this.#buffer?.size !== size) {
      this.#buffer?.destroy();
      this.#buffer = this.#device.createBuffer({ size, usage: STORAGE_AND_COPY });
    }
    const buffer = this.#buffer;
    const tensor = Tensor.fromGpuBuffer(buffer, {
      dataType: this.#type,
      dims: [rows, positions, this.#vocabulary],
    });
    const baseOf = (row: number): number => ((row + 1) * positions - 1) * this.#vocabulary;
    return {
      tensor,
      logits: { choose: (requests, filter) => this.#chooser.choose({ buffer, baseOf }, requests, filter) },
    };
  }

  /** Frees the logits; a place can be asked for again. */
  free(): void {
    this.#buffer?.destroy();
    this.#buffer = null;
  }

  /** Frees all that it holds. */
  dispose(): void {
    this.free();
    this.#chooser.dispose();
  }
}
