/**
 * Lets a bounded number through in one turn of the event loop; the others follow in the next turns, in the order they
 * came. Gives nothing to wait for to those who may go on at once.
 */
export type Turnstile = () => Promise<void> | undefined;

/** Many sessions may have something to do in the same turn; between a few of them the host gets its own. */
export function createTurnstile(mostPerTurn: number): Turnstile {
  let passed = 0;
  let turning = false;
  const waiting: (() => void)[] = [];

  function count(): void {
    passed++;
    if (turning) return;
    turning = true;
    setImmediate(turn);
  }

  function turn(): void {
    turning = false;
    passed = 0;
    for (const pass of waiting.splice(0, mostPerTurn)) {
      count();
      pass();
    }
  }

  return () => {
    if (passed >= mostPerTurn) return new Promise((resolve) => waiting.push(resolve));
    count();
    return undefined;
  };
}
