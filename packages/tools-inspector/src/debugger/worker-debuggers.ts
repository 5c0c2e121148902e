import type { WorkerConnections } from '../workers/worker-connections.js';
import { createUnderWay } from '../workers/under-way.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { openWorkerDebugger } from './worker-debugger.js';
import type { WorkerDebugger, WorkerDebuggerOptions } from './worker-debugger.js';

/** The debuggers of the workers: each is on while it is used or something is placed in it. */
export interface WorkerDebuggers {
  /** Those that are on. */
  readonly on: readonly WorkerDebugger[];
  find(threadId: number): WorkerDebugger | undefined;
  use<T>(worker: WorkerTarget, work: (debug: WorkerDebugger) => Promise<T>): Promise<T>;
  /** Turns all off. Resolves when those that were on their way are off too. */
  close(): Promise<void>;
}

interface Entry {
  readonly opened: Promise<WorkerDebugger>;
  debug?: WorkerDebugger;
  /** The connection may outlive it. */
  stop?: () => void;
  users: number;
  readonly release: () => Promise<void>;
}

export function createWorkerDebuggers(
  connections: WorkerConnections,
  options: Omit<WorkerDebuggerOptions, 'worker' | 'connection' | 'onReleased'>,
): WorkerDebuggers {
  const entries = new Map<number, Entry>();
  const leaving = createUnderWay();

  function enter(worker: WorkerTarget): Entry {
    const present = entries.get(worker.threadId);
    if (present !== undefined) return present;
    const held = connections.hold(worker);
    const forget = () => {
      if (entries.get(worker.threadId) === entry) entries.delete(worker.threadId);
    };
    const entry: Entry = {
      users: 0,
      release: async () => (await held).release(),
      opened: held.then(async ({ connection }) => {
        entry.stop = connection.onClose(() => {
          forget();
          entry.debug?.hold.end();
        });
        return openWorkerDebugger({ ...options, worker, connection, onReleased });
      }),
    };
    entries.set(worker.threadId, entry);
    entry.opened.then(
      (debug) => (entry.debug = debug),
      () => {
        forget();
        entry.release().catch(() => undefined);
      },
    );
    return entry;
  }

  async function leave(threadId: number, entry: Entry): Promise<void> {
    entry.users -= 1;
    const { debug } = entry;
    if (entry.users > 0 || debug === undefined || debug.placements.size > 0 || debug.hold.busy) return;
    // Whoever comes from here on opens another one, behind what this one still sends.
    if (entries.get(threadId) === entry) entries.delete(threadId);
    await leaving.track(turnOff(entry));
  }

  async function turnOff(entry: Entry): Promise<void> {
    await (await entry.opened).disable();
    entry.stop?.();
    await entry.release();
  }

  async function use<T>(worker: WorkerTarget, work: (debug: WorkerDebugger) => Promise<T>): Promise<T> {
    const entry = enter(worker);
    entry.users += 1;
    try {
      return await work(await entry.opened);
    } finally {
      await leave(worker.threadId, entry);
    }
  }

  /** What has been removed while the worker stood there is given up now. */
  function onReleased(worker: WorkerTarget): void {
    if (entries.has(worker.threadId)) use(worker, () => Promise.resolve()).catch(() => undefined);
  }

  return {
    use,
    get on() {
      return [...entries.values()].flatMap(({ debug }) => debug ?? []);
    },
    find: (threadId) => entries.get(threadId)?.debug,
    async close() {
      const open = [...entries.values()];
      entries.clear();
      await Promise.allSettled([...open.map(turnOff), leaving.over()]);
    },
  };
}
