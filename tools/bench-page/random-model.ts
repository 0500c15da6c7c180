import { GraphWriter } from './onnx-graph.ts';

/** Sizes of a decoder with random weights. */
export interface RandomModel {
  readonly vocabulary: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
}

/** Evenly distributed numbers of the given standard deviation; the same on every machine. */
function random(length: number, deviation: number): Float32Array {
  const values = new Float32Array(length);
  const scale = deviation * Math.sqrt(12);
  let state = length >>> 0;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    values[i] = (state / 2 ** 32 - 0.5) * scale;
  }
  return values;
}

/**
 * A transformer of the shipped model's plan with another vocabulary and random float32 weights, read one token at a
 * time: it has no causal mask. Its embedding is also its output layer, as in most small models.
 */
export function randomModel({ vocabulary, width, layers, heads }: RandomModel): Uint8Array<ArrayBuffer> {
  const graph = new GraphWriter();
  const size = width / heads;
  const matrix = (rows: number, columns: number): string =>
    graph.constant(random(rows * columns, 1 / Math.sqrt(rows)), [rows, columns]);
  const product = (x: string, rows: number, columns: number): string =>
    graph.node('MatMul', [x, matrix(rows, columns)]);
  const ones = graph.constant(new Float32Array(width).fill(1), [width]);
  const norm = (x: string): string => graph.node('LayerNormalization', [x, ones]);
  const split = graph.constant(BigInt64Array.from([0n, 0n, BigInt(heads), BigInt(size)]), [4]);
  const joined = graph.constant(BigInt64Array.from([0n, 0n, BigInt(width)]), [3]);
  const scale = graph.constant(Float32Array.of(1 / Math.sqrt(size)), [1]);

  const ids = graph.input('input_ids', 'int64', ['batch', 'length']);
  const embedding = matrix(width, vocabulary);
  let x = graph.node('Transpose', [graph.node('Gather', [embedding, ids], { axis: 1 })], { perm: [1, 2, 0] });
  for (let layer = 0; layer < layers; layer++) {
    const normed = norm(x);
    const headsOf = (y: string): string =>
      graph.node('Transpose', [graph.node('Reshape', [y, split])], { perm: [0, 2, 1, 3] });
    const extended = (kind: 'key' | 'value'): string => {
      const past = graph.input(`past_key_values.${layer}.${kind}`, 'float', ['batch', heads, 'past', size]);
      const added = headsOf(product(normed, width, width));
      const present = graph.node('Concat', [past, added], { axis: 2 }, `present.${layer}.${kind}`);
      graph.output(present, ['batch', heads, 'total', size]);
      return present;
    };
    const query = graph.node('Mul', [headsOf(product(normed, width, width)), scale]);
    const keys = graph.node('Transpose', [extended('key')], { perm: [0, 1, 3, 2] });
    const shares = graph.node('Softmax', [graph.node('MatMul', [query, keys])]);
    const read = graph.node('MatMul', [shares, extended('value')]);
    const flat = graph.node('Reshape', [graph.node('Transpose', [read], { perm: [0, 2, 1, 3] }), joined]);
    x = graph.node('Add', [x, product(flat, width, width)]);
    const inner = graph.node('Relu', [product(norm(x), width, 4 * width)]);
    x = graph.node('Add', [x, product(inner, 4 * width, width)]);
  }
  graph.node('MatMul', [norm(x), embedding], {}, 'logits');
  graph.output('logits', ['batch', 'length', vocabulary]);
  return graph.finish();
}
