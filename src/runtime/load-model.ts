import {
  AutoModelForCausalLM,
  AutoTokenizer,
  env,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import { env as ortEnv, type InferenceSession } from 'onnxruntime-web/webgpu';
import type { ProbedBackend } from './probe-backend.ts';
import { checkGraph } from './check-graph.ts';
import { CausalDecoder } from './causal-decoder.ts';
import { EngineFault } from '../domain/fault.ts';
import type { GpuDevice } from './kv-cache.ts';

/** Where the parts of one model are, and what its graph gives. */
export interface ModelSource {
  /** Absolute URLs of ONNX Runtime's two files. */
  readonly runtimeFiles: { readonly mjs: string; readonly wasm: string };
  /** Name of the model's folder below the models' folder. */
  readonly folder: string;
  readonly dtype: 'fp32' | 'fp16' | 'q8' | 'q4' | 'q4f16';
  readonly context: number;
  readonly rewardOutput: string | null;
  readonly rewardWidth: number;
  /** Verified contents by path below the models' folder; nothing else is loaded. */
  readonly contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** A tokenizer reduced to what decoding needs; satisfies the sampler's `LaneTokenizer`. */
export interface LoadedTokenizer {
  encode(text: string): number[];
  decode(tokens: readonly number[]): string;
  readonly bos: number | null;
  readonly ends: readonly number[];
  readonly newline: number;
}

/** A model on its device. */
export interface RuntimeModel {
  readonly decoder: CausalDecoder;
  readonly tokenizer: LoadedTokenizer;
  /** Rejects the run that is under way when the GPU goes away; never settles on WASM. */
  readonly deviceLost: Promise<string>;
  dispose(): Promise<void>;
}

/**
 * Loads a model through transformers.js from verified contents only: every request of the library that is not among
 * them gets a 404, so nothing reaches another host.
 *
 * @throws EngineFault of kind `gpu` if the graph cannot start on WebGPU, `files` if a file does not fit the library,
 * `runtime` otherwise. After a fault the worker is spoilt: end it.
 */
export async function loadModel(source: ModelSource, probed: ProbedBackend): Promise<RuntimeModel> {
  configure(source, probed);
  try {
    const tokenizer = await AutoTokenizer.from_pretrained(source.folder);
    const model = await AutoModelForCausalLM.from_pretrained(source.folder, {
      device: probed.backend,
      dtype: source.dtype,
    });
    const session = (model.sessions as Record<string, InferenceSession | undefined>)['model'];
    if (session === undefined) throw new EngineFault('files', 'The model has no decoder graph.');
    const fault = checkGraph(session, source.rewardOutput);
    if (fault !== null) throw new EngineFault('files', fault);
    const vocabulary = (model.config as { readonly vocab_size?: unknown }).vocab_size;
    if (typeof vocabulary !== 'number')
      throw new EngineFault('files', 'The model states no vocabulary size.');
    const device = probed.backend === 'webgpu' ? await gpuDevice() : null;
    return {
      decoder: new CausalDecoder(
        session,
        {
          vocabulary,
          context: source.context,
          rewardOutput: source.rewardOutput,
          rewardWidth: source.rewardWidth,
        },
        device,
      ),
      tokenizer: reduceTokenizer(tokenizer, model.config),
      deviceLost: device === null ? new Promise(() => {}) : device.lost.then(({ message }) => message),
      dispose: async () => {
        await model.dispose();
      },
    };
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    const kind = probed.backend === 'webgpu' ? 'gpu' : 'runtime';
    throw new EngineFault(kind, `The model could not start: ${describe(error)}`, error);
  }
}

/** Stands for the folder of verified contents in the library's requests. */
const VERIFIED = '/verified/';

function configure(source: ModelSource, probed: ProbedBackend): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  // Not an address: the library would refuse one as remote.
  env.localModelPath = VERIFIED;
  // Contents are verified and cached by ourselves.
  env.useBrowserCache = false;
  // The cache would import the runtime's script from a blob: URL, which the content security policy forbids.
  env.useWasmCache = false;
  env.fetch = (input: string | URL) => {
    const content = source.contents.get(String(input).slice(VERIFIED.length));
    return Promise.resolve(
      content === undefined
        ? new Response(null, { status: 404 })
        : new Response(content, { headers: { 'content-length': String(content.length) } }),
    );
  };
  ortEnv.wasm.wasmPaths = { ...source.runtimeFiles };
  ortEnv.wasm.numThreads = probed.threads;
}

async function gpuDevice(): Promise<GpuDevice> {
  // The runtime types its device as unknown, since the types of WebGPU are not in TypeScript's own libraries.
  return await ortEnv.webgpu.device;
}

function reduceTokenizer(tokenizer: PreTrainedTokenizer, config: unknown): LoadedTokenizer {
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false });
  const { bos_token_id: bos, eos_token_id: eos } = config as {
    readonly bos_token_id?: unknown;
    readonly eos_token_id?: unknown;
  };
  const newline = encode('\n');
  if (newline.length !== 1) throw new EngineFault('files', 'The tokenizer has no token for a newline.');
  return {
    encode,
    decode: (tokens) =>
      tokenizer.decode([...tokens], { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
    bos: typeof bos === 'number' ? bos : null,
    ends: (Array.isArray(eos) ? eos : [eos]).filter((id): id is number => typeof id === 'number'),
    newline: newline[0]!,
  };
}

/** An error's message, without the stack and of bounded length. */
export function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
