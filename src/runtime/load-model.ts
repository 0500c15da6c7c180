import {
  AutoModel,
  AutoModelForCausalLM,
  AutoTokenizer,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import { env as ortEnv, type InferenceSession } from 'onnxruntime-web/webgpu';
import type { ProbedBackend } from './probe-backend.ts';
import { CausalDecoder } from './causal-decoder.ts';
import { chatFrames } from './chat-frames.ts';
import { describe, isOutOfMemory } from './describe-error.ts';
import { checkGraph, checkVerifierGraph } from './check-graph.ts';
import { EngineFault } from '../domain/fault.ts';
import type { Dtype } from '../domain/model-choice.ts';
import type { LayoutTokenizer } from '../domain/text-layout.ts';
import { GpuLogits, LARGE_VOCABULARY } from './gpu-logits.ts';
import { neutralise } from './neutralise.ts';
import { ScoreGraph } from './score-graph.ts';

type PretrainedModelOptions = NonNullable<Parameters<typeof AutoModel.from_pretrained>[1]>;

/** Where the parts of one model are. */
export interface ModelSource {
  /** Absolute URLs of ONNX Runtime's two files. */
  readonly runtimeFiles: { readonly mjs: string; readonly wasm: string };
  /** Name of the model's folder below the models' folder. */
  readonly folder: string;
  readonly dtype: Dtype;
  readonly context: number;
  /** Verified contents by path below the models' folder; nothing else is loaded. */
  readonly contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** A generator's source, and what its graph gives beside logits. */
export interface GeneratorSource extends ModelSource {
  readonly rewardOutput: string | null;
  readonly rewardWidth: number;
}

/** A tokenizer reduced to what the engine needs; satisfies the sampler's and the verifiers' interfaces. */
export interface LoadedTokenizer extends LayoutTokenizer {
  decode(tokens: readonly number[]): string;
  readonly bos: number | null;
  readonly ends: readonly number[];
  readonly newline: number;
}

/** A generator on its device. */
export interface RuntimeModel {
  readonly decoder: CausalDecoder;
  readonly tokenizer: LoadedTokenizer;
  /** The same graph as a verifier, for a model that judges too. */
  readonly asVerifier: RuntimeVerifier;
  readonly onGpu: boolean;
  /** Resolves to the reason when the GPU goes away; never settles on WASM. */
  readonly deviceLost: Promise<string>;
  dispose(): Promise<void>;
}

/** A verifier on its device, with a graph and a tokenizer of its own. */
export interface RuntimeVerifier {
  readonly graph: ScoreGraph;
  readonly tokenizer: LayoutTokenizer;
  dispose(): Promise<void>;
}

/**
 * Loads a generator through transformers.js from verified contents only: every request of the library that is not among
 * them gets a 404, so nothing reaches another host.
 *
 * @throws EngineFault of kind `gpu` if the graph cannot start on WebGPU, `files` if a file does not fit the library,
 * `runtime` otherwise. After a fault the worker is spoilt: end it.
 */
export function loadModel(source: GeneratorSource, probed: ProbedBackend): Promise<RuntimeModel> {
  return loadWith(source, probed, async () => {
    const tokenizer = await AutoTokenizer.from_pretrained(source.folder);
    const model = await AutoModelForCausalLM.from_pretrained(source.folder, loadOptions(source, probed));
    const session = decoderSession(model);
    const fault = checkGraph(session, source.rewardOutput);
    if (fault !== null) throw new EngineFault('files', fault);
    const vocabulary = (model.config as { readonly vocab_size?: unknown }).vocab_size;
    if (typeof vocabulary !== 'number')
      throw new EngineFault('files', 'The model states no vocabulary size.');
    const device = probed.backend === 'webgpu' ? await gpuDevice() : null;
    const logits = device === null ? null : await logitsOnGpu(device, session, vocabulary);
    const { rewardOutput, rewardWidth, context } = source;
    const reduced = reduceTokenizer(tokenizer, model, addedTokens(source));
    return {
      asVerifier: {
        graph: new ScoreGraph(session, context),
        tokenizer: reduced,
        dispose: () => Promise.resolve(),
      },
      decoder: new CausalDecoder(
        session,
        { vocabulary, context, rewardOutput, rewardWidth },
        device === null ? null : { device, logits },
      ),
      tokenizer: reduced,
      onGpu: device !== null,
      deviceLost: device === null ? new Promise(() => {}) : device.lost.then(({ message }) => message),
      dispose: async () => {
        logits?.dispose();
        await model.dispose();
      },
    };
  });
}

/**
 * Loads a verifier, whatever its architecture, as `loadModel` does.
 *
 * @param output name of the graph's output that holds the scores
 * @throws EngineFault as `loadModel` does
 */
export function loadVerifier(
  source: ModelSource,
  output: string,
  probed: ProbedBackend,
): Promise<RuntimeVerifier> {
  return loadWith(source, probed, async () => {
    const tokenizer = await AutoTokenizer.from_pretrained(source.folder);
    const model = await AutoModel.from_pretrained(source.folder, loadOptions(source, probed));
    const session = decoderSession(model);
    const fault = checkVerifierGraph(session, output);
    if (fault !== null) throw new EngineFault('files', fault);
    return {
      graph: new ScoreGraph(session, source.context),
      tokenizer: layoutTokenizer(tokenizer, addedTokens(source)),
      dispose: async () => {
        await model.dispose();
      },
    };
  });
}

/**
 * Lets `load` ask the library for what is in the source's contents, and for nothing else.
 *
 * @throws EngineFault as `loadModel` does
 */
export async function loadWith<T>(
  source: ModelSource,
  probed: ProbedBackend,
  load: () => Promise<T>,
): Promise<T> {
  configure(source, probed);
  try {
    return await load();
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    if (isOutOfMemory(error))
      throw new EngineFault(
        'files',
        `The model does not fit in the memory that this ${probed.backend === 'webgpu' ? 'GPU' : 'browser'} gives. Choose a smaller model, or close other pages and try again.`,
        error,
      );
    if (/unsupported model type|unknown model class/iu.test(describe(error)))
      throw new EngineFault(
        'files',
        `This page cannot run models of this architecture (${describe(error)}). Choose another model.`,
        error,
      );
    const kind = probed.backend === 'webgpu' ? 'gpu' : 'runtime';
    throw new EngineFault(kind, `The model could not start: ${describe(error)}`, error);
  } finally {
    // The library would hold the weights' bytes for as long as the worker lives.
    env.fetch = nothing;
  }
}

const nothing = (): Promise<Response> => Promise.resolve(new Response(null, { status: 404 }));

/** Of the library's from_pretrained(). */
export function loadOptions(
  { folder, dtype, contents }: ModelSource,
  probed: ProbedBackend,
): PretrainedModelOptions {
  // Weights that are too long for one file lie beside it, in as many pieces as there are.
  const pieces = [...contents.keys()].filter((path) =>
    /\.onnx_data(?:_\d+)?$/u.test(path.slice(folder.length)),
  );
  return { device: probed.backend, dtype, use_external_data_format: pieces.length };
}

function decoderSession(model: PreTrainedModel): InferenceSession {
  const session = (model.sessions as Record<string, InferenceSession | undefined>)['model'];
  if (session === undefined) throw new EngineFault('files', 'The model has no decoder graph.');
  return session;
}

/** Texts that the tokenizer reads as one token wherever they stand. */
function addedTokens({ folder, contents }: ModelSource): readonly string[] {
  const file = contents.get(`${folder}/tokenizer.json`);
  if (file === undefined) return [];
  const { added_tokens: added } = JSON.parse(new TextDecoder().decode(file)) as {
    readonly added_tokens?: unknown;
  };
  if (!Array.isArray(added)) return [];
  return added.flatMap((token: unknown) => {
    const text = (token as { readonly content?: unknown } | null)?.content;
    // White space may be a token of its own; it does no harm.
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
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

async function gpuDevice(): Promise<GPUDevice> {
  return ortEnv.webgpu.device;
}

/** `null` for a small vocabulary, and where the graph does not say what its logits are. */
async function logitsOnGpu(
  device: GPUDevice,
  session: InferenceSession,
  vocabulary: number,
): Promise<GpuLogits | null> {
  if (vocabulary < LARGE_VOCABULARY) return null;
  const meta = session.outputMetadata.find(({ name }) => name === 'logits');
  if (meta === undefined || !meta.isTensor || meta.shape.at(-1) !== vocabulary) return null;
  if (meta.type !== 'float32' && meta.type !== 'float16') return null;
  return GpuLogits.create(device, vocabulary, meta.type);
}

function layoutTokenizer(tokenizer: PreTrainedTokenizer, added: readonly string[]): LayoutTokenizer {
  const bos = (tokenizer as { readonly bos_token?: unknown }).bos_token;
  return {
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }),
    neutralise: (text) => neutralise(text, added),
    bosText: typeof bos === 'string' ? bos : '',
    chat: chatFrames(tokenizer),
  };
}

function reduceTokenizer(
  tokenizer: PreTrainedTokenizer,
  model: PreTrainedModel,
  added: readonly string[],
): LoadedTokenizer {
  const layout = layoutTokenizer(tokenizer, added);
  const { bos_token_id: bos, eos_token_id: eos } = model.config as {
    readonly bos_token_id?: unknown;
    readonly eos_token_id?: unknown;
  };
  // A chat model ends its turn by another token than a text; both are stated with the rules of generation.
  const stated = (model.generation_config as { readonly eos_token_id?: unknown } | null)?.eos_token_id;
  const newline = layout.encode('\n');
  if (newline.length !== 1) throw new EngineFault('files', 'The tokenizer has no token for a newline.');
  return {
    ...layout,
    decode: (tokens) =>
      tokenizer.decode([...tokens], { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
    bos: typeof bos === 'number' ? bos : null,
    ends: [...new Set([eos, stated].flat())].filter((id): id is number => typeof id === 'number'),
    newline: newline[0]!,
  };
}
