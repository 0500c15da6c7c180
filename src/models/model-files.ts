import { isPieceOf, type DeclaredFile } from '../domain/declared-file.ts';
import { DTYPES, type Dtype, type DtypeOption, type PinnedModel } from '../domain/model-choice.ts';

/** Files beside the weights that loading reads, where they are there. */
const COMPANIONS = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'chat_template.jinja',
];

/** File names of a graph by its weights, as hubs and transformers.js have them. */
const GRAPHS: Readonly<Record<Dtype, string>> = {
  fp32: 'onnx/model.onnx',
  fp16: 'onnx/model_fp16.onnx',
  q8: 'onnx/model_quantized.onnx',
  q4: 'onnx/model_q4.onnx',
  q4f16: 'onnx/model_q4f16.onnx',
};

/** What a file is recognised by. */
type Named = Pick<DeclaredFile, 'path'>;

/** What loading one variant of a model needs. */
export interface ModelFiles {
  readonly dtype: Dtype;
  readonly files: readonly DeclaredFile[];
  readonly bytes: number;
}

/** The weights that a listing has graphs for. */
export function dtypesOf(files: readonly Named[]): Dtype[] {
  return DTYPES.filter((dtype) => files.some(({ path }) => path === GRAPHS[dtype]));
}

/** Whether a file is read by some variant of a model; hubs hold the same weights in many forms. */
export function isModelFile({ path }: Named): boolean {
  return (
    COMPANIONS.includes(path) ||
    Object.values(GRAPHS).some((graph) => path === graph || isPieceOf(path, graph))
  );
}

/** The files of one variant, without those that are not there; `null` if its graph is not. */
export function variantFiles(files: readonly DeclaredFile[], dtype: Dtype): ModelFiles | null {
  const graph = GRAPHS[dtype];
  if (!files.some(({ path }) => path === graph)) return null;
  const needed = files.filter(
    ({ path }) => COMPANIONS.includes(path) || path === graph || isPieceOf(path, graph),
  );
  return { dtype, files: needed, bytes: needed.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/**
 * The first variant that a device can run. `null` if there is none.
 *
 * @param shaderF16 whether the GPU has 16-bit floats in shaders
 */
export function filesOnDevice(
  { recipe, files }: Pick<PinnedModel, 'recipe' | 'files'>,
  backend: DtypeOption['backend'],
  shaderF16: boolean,
): ModelFiles | null {
  for (const option of recipe.dtypes) {
    if (option.backend !== backend || (option.needsShaderF16 && !shaderF16)) continue;
    const variant = variantFiles(files, option.dtype);
    if (variant !== null) return variant;
  }
  return null;
}

/** Absolute URL that the files' paths are below, ending in "/". */
export function folderUrlOf({ recipe, origin }: PinnedModel): string {
  return origin.kind === 'hub'
    ? `${origin.hub}/${recipe.id}/resolve/${origin.commit}/`
    : // Never fetched: only the key of what is stored here.
      `https://folder.invalid/${origin.key}/`;
}
