import { setImmediate as nextTurn } from 'node:timers/promises';

const ITEMS_A_TURN = 200;

/**
 * The same items, with a turn of the event loop after every 200. A table may answer from memory without ever leaving
 * the microtasks, and would hold the thread until the last row.
 */
export async function* inTurns<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of items) {
    yield item;
    if (++count % ITEMS_A_TURN === 0) await nextTurn();
  }
}
