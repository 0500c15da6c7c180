/**
 * The little of ONNX's file format that the benchmark needs: cutting outputs off a graph, and writing a graph of random
 * weights. A file is one Protocol Buffers message; fields that are not looked into are copied as they are.
 */

const LENGTH_DELIMITED = 2;
const text = { encode: new TextEncoder(), decode: new TextDecoder() };

interface Field {
  readonly number: number;
  /** The field as it is in the file, its tag included. */
  readonly raw: Uint8Array;
  /** What a length-delimited field holds; empty for others. */
  readonly content: Uint8Array;
}

/** Numbers of the fields, from onnx.proto. */
const MODEL = { irVersion: 1, graph: 7, opsetImport: 8 } as const;
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const;
const NODE = { input: 1, output: 2, opType: 4, attribute: 5 } as const;
const TENSOR = { name: 8 } as const;
const VALUE_INFO = { name: 1, type: 2 } as const;

function readVarint(bytes: Uint8Array, at: number): readonly [value: number, next: number] {
  let value = 0;
  let scale = 1;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i]!;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, i + 1];
    scale *= 128;
  }
  throw new RangeError('The ONNX file ends within a number.');
}

function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at;
    const [tag, afterTag] = readVarint(bytes, at);
    const kind = tag & 7;
    let content = new Uint8Array(0);
    if (kind === LENGTH_DELIMITED) {
      const [length, begin] = readVarint(bytes, afterTag);
      at = begin + length;
      content = bytes.subarray(begin, at) as Uint8Array<ArrayBuffer>;
    } else if (kind === 0) at = readVarint(bytes, afterTag)[1];
    else if (kind === 1 || kind === 5) at = afterTag + (kind === 1 ? 8 : 4);
    else throw new RangeError('The file is no ONNX graph.');
    fields.push({ number: tag >>> 3, raw: bytes.subarray(start, at), content });
  }
  return fields;
}

const stringsOf = (fields: readonly Field[], number: number): string[] =>
  fields.filter((field) => field.number === number).map(({ content }) => text.decode.decode(content));

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

type Part = Uint8Array | readonly Uint8Array[];

function concat(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const flat = parts.flat();
  const bytes = new Uint8Array(flat.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of flat) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A length-delimited field; large contents are not copied. */
function message(number: number, ...parts: readonly Part[]): Uint8Array[] {
  const flat = parts.flat();
  const length = flat.reduce((sum, part) => sum + part.length, 0);
  return [Uint8Array.from([...varint(number * 8 + LENGTH_DELIMITED), ...varint(length)]), ...flat];
}

const string = (number: number, value: string): Uint8Array[] => message(number, text.encode.encode(value));
const integer = (number: number, value: number): Uint8Array =>
  Uint8Array.from([...varint(number * 8), ...varint(value)]);

/**
 * The graph without the nodes that only serve other outputs than the one named and the cache that it needs: what a
 * generator without a verifier would compute.
 */
export function onlyOutput(model: Uint8Array, wanted: string): Uint8Array<ArrayBuffer> {
  const parts = readFields(model);
  const graph = readFields(parts.find(({ number }) => number === MODEL.graph)?.content ?? new Uint8Array(0));
  const nodes = graph
    .filter(({ number }) => number === GRAPH.node)
    .map((field) => {
      const inner = readFields(field.content);
      return { field, inputs: stringsOf(inner, NODE.input), outputs: stringsOf(inner, NODE.output) };
    });

  const needed = new Set([wanted]);
  const kept = new Set<Field>();
  // Nodes are in topological order, so one walk backwards finds all that a value depends on.
  for (const { field, inputs, outputs } of nodes.toReversed()) {
    if (!outputs.some((name) => needed.has(name))) continue;
    kept.add(field);
    for (const name of [...inputs, ...outputs]) needed.add(name);
  }

  const isKept = (field: Field): boolean => {
    switch (field.number) {
      case GRAPH.node:
        return kept.has(field);
      case GRAPH.initializer:
        return needed.has(stringsOf(readFields(field.content), TENSOR.name)[0] ?? '');
      case GRAPH.input:
      case GRAPH.output:
        return needed.has(stringsOf(readFields(field.content), VALUE_INFO.name)[0] ?? '');
      default:
        return true;
    }
  };
  const smaller = message(
    MODEL.graph,
    graph.filter(isKept).map(({ raw }) => raw),
  );
  return concat(parts.map(({ number, raw }) => (number === MODEL.graph ? smaller : raw)));
}

const FLOAT = 1;
const INT64 = 7;

/** A size that is only known at run time has a name. */
type Dimension = number | string;

function valueInfo(field: number, name: string, type: number, dims: readonly Dimension[]): Uint8Array[] {
  const shape = dims.map((size) =>
    message(1, typeof size === 'number' ? integer(1, size) : string(2, size)).flat(),
  );
  const tensorType = message(1, integer(1, type), message(2, ...shape));
  return message(field, string(VALUE_INFO.name, name), message(VALUE_INFO.type, tensorType));
}

/** Builds a graph of float32 operators node by node; each method returns the name of its result. */
export class GraphWriter {
  readonly #fields: Uint8Array[][] = [];
  #count = 0;

  input(name: string, type: 'float' | 'int64', dims: readonly Dimension[]): string {
    this.#fields.push(valueInfo(GRAPH.input, name, type === 'float' ? FLOAT : INT64, dims));
    return name;
  }

  output(name: string, dims: readonly Dimension[]): void {
    this.#fields.push(valueInfo(GRAPH.output, name, FLOAT, dims));
  }

  constant(values: Float32Array | BigInt64Array, dims: readonly number[]): string {
    const name = `constant_${this.#count++}`;
    const type = values instanceof Float32Array ? FLOAT : INT64;
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#fields.push(
      message(
        GRAPH.initializer,
        dims.map((size) => integer(1, size)),
        integer(2, type),
        string(TENSOR.name, name),
        message(9, raw),
      ),
    );
    return name;
  }

  /** @param attributes lists of integers, or one integer */
  node(
    type: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, number | readonly number[]>> = {},
    output = `value_${this.#count++}`,
  ): string {
    this.#fields.push(
      message(
        GRAPH.node,
        inputs.flatMap((name) => string(NODE.input, name)),
        string(NODE.output, output),
        string(NODE.opType, type),
        Object.entries(attributes).flatMap(([name, value]) => attribute(name, value)),
      ),
    );
    return output;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return concat([
      integer(MODEL.irVersion, 8),
      message(MODEL.graph, string(GRAPH.name, 'random'), ...this.#fields),
      message(MODEL.opsetImport, integer(2, 17)),
    ]);
  }
}

function attribute(name: string, value: number | readonly number[]): Uint8Array[] {
  // Negative numbers take ten bytes in this format; none of the operators used here needs one that cannot be avoided.
  return typeof value === 'number'
    ? message(NODE.attribute, string(1, name), integer(3, value), integer(20, 2))
    : message(
        NODE.attribute,
        string(1, name),
        value.map((item) => integer(8, item)),
        integer(20, 7),
      );
}
