/** Lets the event loop go round a number of times: promises settle, and what waits for a turn gets it. */
export async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
