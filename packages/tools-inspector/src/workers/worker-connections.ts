import { ConflictError } from '@harperfast/agent-core/contracts';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import { createUnderWay } from './under-way.js';
import type { WorkerTarget } from './worker-target.js';

/** A thread's connection, kept open until it is released. */
export interface HeldConnection {
  readonly connection: CdpConnection;
  readonly release: () => Promise<void>;
}

/** Connections to worker threads, one for each thread however many sessions use it. */
export interface WorkerConnections {
  /**
   * Holds the thread's connection for this session until it detaches. Resolves with false when it held it already;
   * holds nothing when `signal` aborts meanwhile.
   */
  attach(sessionId: string, worker: WorkerTarget, signal: AbortSignal): Promise<boolean>;
  /** Keeps the thread's connection, which is made for the purpose when nobody holds one. */
  hold(worker: WorkerTarget): Promise<HeldConnection>;
  /** Runs `work` on the thread's connection and holds it meanwhile. */
  use<T>(worker: WorkerTarget, work: (connection: CdpConnection) => Promise<T>): Promise<T>;
  /** Lets go. Resolves with false when the session did not hold it. The last to let go closes the connection. */
  detach(sessionId: string, threadId: number): Promise<boolean>;
  detachSession(sessionId: string): Promise<void>;
  /** The sessions that hold the thread's connection; none once the thread has ended. */
  holders(threadId: number): readonly string[];
  /** Whether the session was detached because nobody had used the thread's connection for so long. */
  idled(sessionId: string, threadId: number): boolean;
  /** Closes every connection, and refuses new ones. Resolves when those that were closing before are closed too. */
  close(): Promise<void>;
}

interface Link {
  readonly connection: Promise<CdpConnection>;
  readonly sessions: Set<string>;
  /** Who holds it besides. */
  uses: number;
  /** Runs while only sessions hold it. */
  idle?: NodeJS.Timeout;
}

/** Sessions that only hold a connection, and do nothing with it for `idleMs`, are detached. */
export function createWorkerConnections(
  connect: (worker: WorkerTarget) => Promise<CdpConnection>,
  idleMs: number,
): WorkerConnections {
  const idled = new Map<number, Set<string>>();
  const links = new Map<number, Link>();
  const closing = createUnderWay();
  let closed = false;

  function linkTo(worker: WorkerTarget): Link {
    if (closed) throw new ConflictError('The inspector tools are closed: the agent is stopping');
    const { threadId } = worker;
    const present = links.get(threadId);
    if (present !== undefined) return present;
    const link: Link = { connection: connect(worker), sessions: new Set(), uses: 0 };
    links.set(threadId, link);
    const forget = () => {
      clearTimeout(link.idle);
      if (links.get(threadId) === link) links.delete(threadId);
    };
    // Whoever waits for the connection hears of the failure; this only forgets it.
    link.connection.then((connection) => connection.onClose(forget), forget);
    return link;
  }

  const closeLink = async ({ connection }: Link) => (await connection).close();

  async function closeIfUnused(threadId: number, link: Link): Promise<void> {
    clearTimeout(link.idle);
    if (link.uses === 0 && link.sessions.size > 0 && links.get(threadId) === link) {
      link.idle = setTimeout(() => letGo(threadId, link), idleMs).unref();
    }
    if (link.uses > 0 || link.sessions.size > 0 || links.get(threadId) !== link) return;
    links.delete(threadId);
    await closing.track(closeLink(link));
  }

  function letGo(threadId: number, link: Link): void {
    idled.set(threadId, new Set(link.sessions));
    link.sessions.clear();
    closeIfUnused(threadId, link).catch(() => undefined);
  }

  async function hold(worker: WorkerTarget): Promise<HeldConnection> {
    const link = linkTo(worker);
    link.uses += 1;
    clearTimeout(link.idle);
    let released = false;
    const release = async () => {
      if (released) return;
      released = true;
      link.uses -= 1;
      await closeIfUnused(worker.threadId, link);
    };
    try {
      return { connection: await link.connection, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async function use<T>(worker: WorkerTarget, work: (connection: CdpConnection) => Promise<T>): Promise<T> {
    const { connection, release } = await hold(worker);
    try {
      return await work(connection);
    } finally {
      await release();
    }
  }

  async function detach(sessionId: string, threadId: number): Promise<boolean> {
    idled.get(threadId)?.delete(sessionId);
    const link = links.get(threadId);
    if (link === undefined || !link.sessions.delete(sessionId)) return false;
    await closeIfUnused(threadId, link);
    return true;
  }

  return {
    hold,
    use,
    detach,
    async attach(sessionId, worker, signal) {
      return use(worker, async () => {
        signal.throwIfAborted();
        idled.get(worker.threadId)?.delete(sessionId);
        const sessions = links.get(worker.threadId)?.sessions;
        if (sessions === undefined || sessions.has(sessionId)) return false;
        sessions.add(sessionId);
        return true;
      });
    },
    async detachSession(sessionId) {
      for (const sessions of idled.values()) sessions.delete(sessionId);
      await Promise.all([...links.keys()].map((threadId) => detach(sessionId, threadId)));
    },
    holders: (threadId) => [...(links.get(threadId)?.sessions ?? [])],
    idled: (sessionId, threadId) => idled.get(threadId)?.has(sessionId) === true,
    async close() {
      closed = true;
      const open = [...links.values()];
      for (const { idle } of open) clearTimeout(idle);
      links.clear();
      await Promise.allSettled([...open.map(closeLink), closing.over()]);
    },
  };
}
