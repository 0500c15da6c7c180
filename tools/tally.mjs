/** Counts of tests, read from the reports of the test runners. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/** @returns {Tally} */
export function total(/** @type {readonly Tally[]} */ tallies) {
  return tallies.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** @returns {Tally} */
export function fromExitCode(/** @type {number} */ code) {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * A runner that failed without a failing test (a file that does not load, a server that does not start) counts too.
 * @param {Tally} tally
 * @param {number} code
 * @returns {Tally}
 */
export function atLeastOneFailure(tally, code) {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/** A number in a report, 0 where there is none. */
function count(/** @type {unknown} */ report, /** @type {string} */ key) {
  const value =
    typeof report === 'object' && report !== null ? Object.entries(report).find(([k]) => k === key) : null;
  return typeof value?.[1] === 'number' ? value[1] : 0;
}

/** @returns {Tally} */
export function fromVitest(/** @type {unknown} */ report) {
  return {
    passed: count(report, 'numPassedTests'),
    failed: count(report, 'numFailedTests'),
    skipped: count(report, 'numPendingTests') + count(report, 'numTodoTests'),
  };
}

/** @returns {Tally} */
export function fromPlaywright(/** @type {unknown} */ report) {
  const stats = typeof report === 'object' && report !== null && 'stats' in report ? report.stats : null;
  return {
    passed: count(stats, 'expected') + count(stats, 'flaky'),
    failed: count(stats, 'unexpected'),
    skipped: count(stats, 'skipped'),
  };
}

/** @returns {Tally} */
export function fromUnittest(/** @type {string} */ output) {
  const number = (/** @type {RegExp} */ pattern) => Number(pattern.exec(output)?.[1] ?? 0);
  const verdict = [...output.matchAll(/^(?:OK|FAILED|NO TESTS RAN)\b.*$/gm)].at(-1)?.[0] ?? '';
  const named = (/** @type {string} */ name) =>
    Number(
      new RegExp(`\\b${name}=(\\d+)`).exec(verdict.replace('unexpected successes', 'unexpected'))?.[1] ?? 0,
    );
  const skipped = named('skipped');
  const failed = named('failures') + named('errors') + named('unexpected');
  return { passed: Math.max(0, number(/^Ran (\d+) tests? in/m) - failed - skipped), failed, skipped };
}
