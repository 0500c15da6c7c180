import { expect, test } from './fixtures.ts';
import { TYPED } from './playground.ts';
import { SourceServer } from './source-server.ts';

let server: SourceServer;
test.beforeAll(async () => {
  server = await SourceServer.start();
});
test.afterAll(() => server.close());

/** Of different lengths, so that all but one are padded. */
const SOLUTIONS = [
  ['Marbles in bags: 3*14=42', 'Marbles left: 42-12=30', 'Answer: 30'],
  ['Answer: 30'],
  ['Marbles in bags: 3*14=44', 'Marbles left: 44-12=32', 'Answer: 32'],
  ['Marbles given: 12', 'Bags: 3', 'Marbles in bags: 3*14=42', 'Marbles left: 42-12=30', 'Answer: 30'],
];

test('solutions that are scored together get the rewards that each gets alone', async ({ page }) => {
  const driven = await server.openSession(page);
  const { together, alone } = await driven.evaluate(
    async ({ session }, [problem, solutions]) => {
      const score = (some: readonly string[][]) => session.score({ problem, solutions: some }, 'wasm');
      const together = await score(solutions);
      const alone = [];
      for (const solution of solutions) alone.push((await score([solution]))?.[0]);
      return { together, alone };
    },
    [TYPED, SOLUTIONS] as const,
  );
  let worst = 0;
  for (const [i, lines] of SOLUTIONS.entries()) {
    const [one, other] = [together?.[i], alone[i]];
    expect(one?.steps).toHaveLength(lines.length);
    expect(other?.steps).toHaveLength(lines.length);
    const rewards = [...one!.steps, one!.outcome!];
    for (const [j, reward] of [...other!.steps, other!.outcome!].entries()) {
      worst = Math.max(worst, Math.abs(reward - rewards[j]!));
    }
  }
  console.log(`the largest difference is ${worst.toExponential(1)}`);
  expect(worst).toBeLessThan(1e-3);
});
