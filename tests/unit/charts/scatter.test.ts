import { expect, test } from 'vitest';
import { logFloor, placePoints, type ScatterPoint } from '../../../src/charts/scatter.ts';

const point = (lane: number, steps: number, logScore: number): ScatterPoint => ({
  lane,
  steps,
  score: Math.exp(logScore),
  logScore,
  text: '',
  truth: 'right',
  answer: '1',
});

test('lanes of one step count stand beside each other, around it, and within it', () => {
  const placed = placePoints([point(0, 3, -1), point(1, 5, -1), point(2, 3, -2)]);
  expect(placed.map(({ x }) => x)).toEqual([2.95, 5, 3.05]);
  const many = placePoints(Array.from({ length: 64 }, (_, lane) => point(lane, 4, -1)));
  expect(new Set(many.map(({ x }) => x)).size).toBe(64);
  expect(many.every(({ x }) => Math.abs(x - 4) < 0.5)).toBe(true);
});

test('a logarithmic axis begins at a power of ten below the scores, but not below one in a million', () => {
  expect(logFloor([point(0, 1, Math.log(0.02))])).toBeCloseTo(0.01);
  expect(logFloor([point(0, 1, Math.log(0.9))])).toBeCloseTo(0.1);
  expect(logFloor([point(0, 1, -Infinity)])).toBe(1e-6);
  expect(logFloor([])).toBeCloseTo(0.1);
});
