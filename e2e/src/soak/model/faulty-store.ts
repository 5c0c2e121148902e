import type { Entry, SessionStore } from '@harperfast/agent-core';
import type { StoreStep } from './scenario.js';
import { turnsOfTheLoop } from '../turns.js';

/**
 * A store whose calls are late, fail, or are done and reported as failed, as `next` says. `acknowledged` hears of
 * entries whose append was reported as done: what the engine may take for durable.
 */
export function faultyStore(
  store: () => SessionStore,
  next: () => StoreStep,
  acknowledged: (sessionId: string, entries: readonly Entry[]) => void,
): SessionStore {
  async function through<Value>(call: () => Promise<Value>): Promise<Value> {
    const { delay, fails } = next();
    await turnsOfTheLoop(delay);
    if (fails === 'before') throw new Error('The store is not there, as injected');
    const value = await call();
    if (fails === 'after') throw new Error('The store did not answer, as injected');
    return value;
  }
  return {
    create: (header) => through(() => store().create(header)),
    async append(id, after, entries, header) {
      await through(() => store().append(id, after, entries, header));
      acknowledged(id, entries);
    },
    load: (id) => through(() => store().load(id)),
    read: (id, range) => through(() => store().read(id, range)),
    list: (query) => through(() => store().list(query)),
    delete: (id) => through(() => store().delete(id)),
  };
}
