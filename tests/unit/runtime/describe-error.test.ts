import { expect, test } from 'vitest';
import { describe, isOutOfMemory } from '../../../src/runtime/describe-error.ts';

test('an error of the runtime is told without the place in its sources, and bounded', () => {
  expect(
    describe(
      new Error(
        'failed to call OrtRun(). ERROR_CODE: 1, ERROR_MESSAGE: /build/core/providers/webgpu/buffer_manager.cc:643 void onnxruntime::webgpu::BufferManager::Download(WGPUBuffer, void *, size_t) const status == Success was false.',
      ),
    ),
  ).toBe('failed to call OrtRun(). ERROR_CODE: 1, ERROR_MESSAGE: status == Success was false.');
  expect(describe('plain')).toBe('plain');
  expect(describe(new Error('x'.repeat(1000)))).toHaveLength(301);
});

test.each([
  'std::bad_alloc',
  'Out of memory',
  'Array buffer allocation failed',
  'RuntimeError: memory access out of bounds',
  'Failed to allocate memory for buffer',
])('"%s" is memory that ran out', (message) => {
  expect(isOutOfMemory(new Error(message))).toBe(true);
});

test('another error is not', () => {
  expect(isOutOfMemory(new Error('Unsupported model type: bert'))).toBe(false);
});
