import * as v from 'valibot';
import { isPieceOf } from '../domain/declared-file.ts';

/** The version of static-models/manifest.json that this code reads. */
export const MANIFEST_VERSION = 1;

const relativePath = v.pipe(
  v.string(),
  v.maxLength(200),
  // A manifest names files below its own folder, never another host or a parent folder.
  v.regex(/^(?!\/)(?!.*\.\.)(?!.*\/\/)[A-Za-z0-9._/-]+$/, 'is not a plain relative path'),
);
const bytes = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4 * 2 ** 30));

/** A file with what it must consist of. */
export const declaredFile = v.object({
  path: relativePath,
  bytes,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'is not a sha256 in hexadecimal')),
});

const canary = v.object({
  prompt: v.pipe(v.string(), v.maxLength(2_000)),
  solution: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(40)),
  wrong: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(40)),
  /** Expected rewards of the steps of each, computed where the model was made. */
  rewards: v.object({
    solution: v.array(v.number()),
    wrong: v.array(v.number()),
  }),
});

/** Somebody else's work that a model is made of. */
const attribution = v.object({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  /** The page links to it. */
  url: v.exactOptional(
    v.pipe(v.string(), v.maxLength(500), v.regex(/^https:\/\/[^\s"'<>\\]+$/u, 'is no https address')),
  ),
  licence: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  text: v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
});

const modelFields = v.object({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,40}$/)),
  title: v.pipe(v.string(), v.maxLength(100)),
  roles: v.array(v.picklist(['generator', 'prm', 'orm'])),
  adapter: v.object({
    kind: v.literal('fused-rewards'),
    output: v.string(),
    prmIndex: v.pipe(v.number(), v.integer(), v.minValue(0)),
    ormIndex: v.pipe(v.number(), v.integer(), v.minValue(0)),
    separator: v.literal('\n'),
  }),
  context: v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(1_000_000)),
  licence: v.pipe(v.string(), v.maxLength(100)),
  attribution: v.exactOptional(v.pipe(v.array(attribution), v.maxLength(10))),
  /** What the model can do, in a plain sentence. */
  range: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(300))),
  files: v.pipe(v.array(declaredFile), v.minLength(1), v.maxLength(50)),
  variants: v.pipe(
    v.array(
      v.object({
        dtype: v.picklist(['fp32', 'fp16', 'q8', 'q4', 'q4f16']),
        file: relativePath,
        backends: v.array(v.picklist(['wasm', 'webgpu'])),
      }),
    ),
    v.minLength(1),
  ),
  canary,
});

const model = v.pipe(
  modelFields,
  // Files are kept and fetched by their path within the model's folder.
  v.check(
    ({ id, files }) => files.every(({ path }) => path.startsWith(`${id}/`)),
    'names a file outside its folder',
  ),
  v.check(
    ({ files, variants }) => variants.every(({ file }) => files.some(({ path }) => path === file)),
    'has a variant without its file',
  ),
);

const manifest = v.object({
  schemaVersion: v.literal(MANIFEST_VERSION),
  models: v.pipe(
    v.array(model),
    v.minLength(1),
    v.maxLength(20),
    v.check((models) => new Set(models.map(({ id }) => id)).size === models.length, 'has two of one id'),
  ),
});

export type Manifest = v.InferOutput<typeof manifest>;
export type ManifestModel = Manifest['models'][number];
export type ManifestVariant = ManifestModel['variants'][number];
export type Attribution = v.InferOutput<typeof attribution>;
export type ManifestFile = ManifestModel['files'][number];

/** A manifest that was read, or what is wrong with it in words. */
export type ManifestResult =
  { readonly ok: true; readonly manifest: Manifest } | { readonly ok: false; readonly message: string };

/** Validates the JSON value of static-models/manifest.json; never throws. */
export function readManifest(value: unknown): ManifestResult {
  const version: unknown =
    typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : undefined;
  if (typeof version === 'number' && version !== MANIFEST_VERSION) {
    return {
      ok: false,
      message: `The model list has version ${version}; this page reads version ${MANIFEST_VERSION}. Reload the page to get its newest version.`,
    };
  }
  const result = v.safeParse(manifest, value);
  if (result.success) return { ok: true, manifest: result.output };
  const issue = result.issues[0];
  return {
    ok: false,
    message: `The model list (static-models/manifest.json) is damaged: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}. Reload the page; if that does not help, the site must be built again.`,
  };
}

/**
 * The files that one backend needs of a model: those that loading reads, with the graph and the weights of the first
 * variant that the backend can run. Returns `null` if there is no such variant.
 */
export function filesFor(
  model: ManifestModel,
  backend: 'wasm' | 'webgpu',
): { variant: ManifestVariant; files: ManifestFile[]; bytes: number } | null {
  const variant = model.variants.find((candidate) => candidate.backends.includes(backend));
  if (variant === undefined) return null;
  const files = model.files.filter(({ path }) => isSettings(path) || isOfGraph(path, variant.file));
  return { variant, files, bytes: files.reduce((sum, candidate) => sum + candidate.bytes, 0) };
}

/** All files that loading reads on some device: not the licence and the notice beside them. */
export function loadedFiles({ files, variants }: ManifestModel): ManifestFile[] {
  return files.filter(
    ({ path }) => isSettings(path) || variants.some((variant) => isOfGraph(path, variant.file)),
  );
}

/** Tokenizers, configurations and templates: what a model has beside its graphs. */
function isSettings(path: string): boolean {
  return /\.(?:json|jinja)$/u.test(path);
}

function isOfGraph(path: string, graph: string): boolean {
  return path === graph || isPieceOf(path, graph);
}
