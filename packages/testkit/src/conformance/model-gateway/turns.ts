/** Gives whatever would wrongly go on every chance to do so: a few turns of the event loop. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
