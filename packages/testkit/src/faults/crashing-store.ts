import type { SessionStore } from '@harperfast/agent-core/contracts';
import { deferred } from '../deferred.js';
import { faulty } from './faulty.js';
import type { Fault } from './faulty.js';

/** Where the process ends. */
export interface CrashPoint {
  /** How many appends are made before. */
  readonly afterAppends: number;
  /** The append that meets the crash: nothing of it is written, or all of it without anyone being told. */
  readonly lastAppend: 'lost' | 'written';
}

/** A store that dies once. */
export interface CrashingStore {
  /** Give this to the engine that is going to die: from the crash on, every call rejects and changes nothing. */
  readonly store: SessionStore;
  /** Resolves when the crash is over and what was written is there. */
  readonly crashed: Promise<void>;
  /** What the next process finds: exactly what was written. Ends the life of `store` if it has not crashed yet. */
  restart(): Promise<SessionStore>;
}

/** Ends a process, as its store sees it, between two appends. */
export function crashingStore(durable: SessionStore, point: CrashPoint): CrashingStore {
  const crash = deferred();
  const open = new Set<Promise<unknown>>();
  let alive = true;

  const assertAlive = (): void => {
    if (!alive) throw new Error('The process has crashed, as injected');
  };
  const written = async (work: unknown): Promise<unknown> => {
    const result = Promise.resolve(work);
    open.add(result);
    try {
      return await result;
    } finally {
      open.delete(result);
    }
  };
  const onlyAlive: Fault = async (call) => {
    assertAlive();
    const result = await written(call.proceed());
    // An answer that arrives after the end reaches nobody.
    assertAlive();
    return result;
  };
  const append: Fault = async (call) => {
    if (!alive || call.nth <= point.afterAppends) return onlyAlive(call);
    alive = false;
    try {
      if (point.lastAppend === 'written') await written(call.proceed());
    } finally {
      crash.resolve();
    }
    return assertAlive();
  };

  return {
    store: faulty(durable, {
      create: onlyAlive,
      append,
      load: onlyAlive,
      read: onlyAlive,
      list: onlyAlive,
      delete: onlyAlive,
    }),
    crashed: crash.promise,
    async restart() {
      alive = false;
      await Promise.allSettled(open);
      crash.resolve();
      return durable;
    },
  };
}
