import { expect, test } from 'vitest';
import { checkGraph } from '../../../src/runtime/check-graph.ts';

const inputNames = ['input_ids', 'attention_mask', 'past_key_values.0.key', 'past_key_values.0.value'];
const outputNames = ['logits', 'rewards', 'present.0.key', 'present.0.value'];

test('a whole graph lacks nothing', () => {
  expect(checkGraph({ inputNames, outputNames }, 'rewards')).toBeNull();
  expect(checkGraph({ inputNames: [...inputNames, 'num_logits_to_keep'], outputNames }, null)).toBeNull();
});

test.each([...outputNames, 'input_ids'])('a graph without "%s" is refused, by name', (name) => {
  const without = (names: readonly string[]) => names.filter((other) => other !== name);
  const fault = checkGraph({ inputNames: without(inputNames), outputNames: without(outputNames) }, 'rewards');
  expect(fault).toContain(`"${name}"`);
  expect(fault).toMatch(/Build the models again/);
});

test('a graph with no cache, or with an unknown input, is refused', () => {
  expect(checkGraph({ inputNames: ['input_ids'], outputNames }, null)).toMatch(/cache/);
  expect(checkGraph({ inputNames: [...inputNames, 'pixel_values'], outputNames }, null)).toMatch(
    /"pixel_values"/,
  );
});
