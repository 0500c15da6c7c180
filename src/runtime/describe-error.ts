/** Whether the runtime or the browser ran out of memory: each says it in its own way. */
export function isOutOfMemory(error: unknown): boolean {
  return /bad_alloc|out of memory|array buffer allocation|exceeds the maximum|failed to (?:allocate|grow)|memory access out of bounds|createBuffer/iu.test(
    describe(error),
  );
}

/** An error's message, without the stack and of bounded length. */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // Where in its sources the runtime failed helps nobody here.
  const text = message.replace(/\S*\/\S+\.(?:cc|h|cpp):\d+ (?:\w[^:]*::\S+\([^)]*\)(?: const)? )?/gu, '');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
