import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { onlyOutput } from '../../../tools/bench-page/onnx-graph.ts';
import { randomModel } from '../../../tools/bench-page/random-model.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

describe('onlyOutput', () => {
  it('cuts the verifiers off the shipped graph and leaves what logits need', async () => {
    const whole = await readFile('static-models/pocket/onnx/model_quantized.onnx');
    const part = onlyOutput(whole, 'logits');
    expect(text(whole)).toContain('rewards');
    expect(part.length).toBeLessThan(whole.length);
    for (const name of ['input_ids', 'logits', 'past_key_values.0.key', 'present.0.value'])
      expect(text(part)).toContain(name);
    // What is left is whole already.
    expect(Buffer.compare(onlyOutput(part, 'logits'), part)).toBe(0);
  });

  it('refuses what is no graph', () => {
    expect(() => onlyOutput(Uint8Array.of(0xff, 0xff), 'logits')).toThrow(RangeError);
  });
});

describe('randomModel', () => {
  it('is the same each time, and needs all of itself', () => {
    const sizes = { vocabulary: 40, width: 8, layers: 2, heads: 2 };
    const model = randomModel(sizes);
    expect(Buffer.compare(randomModel(sizes), model)).toBe(0);
    expect(Buffer.compare(onlyOutput(model, 'logits'), model)).toBe(0);
  });
});
