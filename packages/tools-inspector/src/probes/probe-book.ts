import { ConflictError, NotFoundError } from '@harperfast/agent-core/contracts';
import type { WorkerDebugger } from '../debugger/worker-debugger.js';
import { createWorkerDebuggers } from '../debugger/worker-debuggers.js';
import type { WorkerDebuggers } from '../debugger/worker-debuggers.js';
import type { NameFinder } from '../names/name-finder.js';
import type { SourceMaps } from '../source-maps/source-maps.js';
import { inspectableWorkers } from '../workers/find-worker.js';
import type { WorkerConnections } from '../workers/worker-connections.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { createWaiters } from './waiters.js';
import type { Placement, Probe, ProbeLimits, ProbeSpec } from './probe.js';

/** What was taken in is completed with its source and the places of source maps, as a rule at once. */
const COMPLETE_MS = 1000;

export interface NewProbe {
  readonly spec: ProbeSpec;
  readonly limits: ProbeLimits;
  readonly workerIndex?: number;
}

/** All probes of all sessions. What is set follows workers that restart; nothing outlives its session. */
export interface ProbeBook {
  /** Places it on all workers, or on its own. Leaves nothing behind when it rejects. */
  add(sessionId: string, probe: NewProbe, signal: AbortSignal): Promise<Probe>;
  /** The session's probes, those that have ended too. */
  list(sessionId: string): readonly Probe[];
  /** Throws `NotFoundError`, naming those there are. */
  find(sessionId: string, id: string): Probe;
  /** Where it is placed now. */
  placements(probe: Probe): readonly Placement[];
  /** Takes it off every worker; what it recorded can still be read. */
  remove(probe: Probe, why: string): Promise<void>;
  /** Resolves when it has more than `after` hits, when it has ended, and when the time is over. */
  wait(probe: Probe, after: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Places what is set on workers that came since. */
  sync(): Promise<void>;
  /** Workers that a breakpoint holds. */
  held(): readonly WorkerDebugger[];
  readonly debuggers: WorkerDebuggers;
  sessionEnded(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export interface ProbeBookOptions {
  readonly workers: () => readonly WorkerTarget[];
  readonly connections: WorkerConnections;
  readonly now: () => number;
  readonly holdMs: number;
  /** How often it looks for workers that came, while something is set. */
  readonly followMs: number;
  readonly probesPerSession: number;
  readonly maps: SourceMaps;
  readonly names: NameFinder;
}

export function createProbeBook(options: ProbeBookOptions): ProbeBook {
  const { workers, connections, now, holdMs, followMs } = options;
  const probes = new Set<Probe>();
  const waiters = createWaiters();
  let lastId = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  const debuggers = createWorkerDebuggers(connections, {
    now,
    holdMs,
    maps: options.maps,
    names: options.names,
    onHit: (probe) => waiters.wake(probe),
    onSpent: (probe, why) => void remove(probe, why),
    onHeldTooLong: () => {
      for (const probe of active()) {
        if (probe.spec.kind === 'breakpoint') {
          void remove(probe, `a breakpoint held a worker for ${holdMs} ms, which is the most`);
        }
      }
    },
  });

  const active = () => [...probes].filter(({ ended }) => ended === undefined);

  /** What workers have recorded comes some time later, and after its end nothing counts. */
  function catchUp(): void {
    for (const debug of debuggers.on) debug.catchUp();
  }

  async function remove(probe: Probe, why: string): Promise<void> {
    if (probe.ended === undefined) catchUp();
    probe.ended ??= why;
    waiters.wake(probe);
    follow();
    const placed = debuggers.on.filter(({ placements }) => placements.has(probe));
    // Where this fails the worker is gone, or it is blocked and the reflex takes care of what it still meets.
    await Promise.allSettled(
      placed.map(({ worker }) => debuggers.use(worker, (debug) => debug.remove(probe))),
    );
  }

  /** Looks for new workers while there is something to place on them. */
  function follow(): void {
    if (active().length === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(() => void look(), followMs).unref();
  }

  async function placeOn(worker: WorkerTarget, probe: Probe): Promise<void> {
    if (debuggers.find(worker.threadId)?.placements.has(probe) === true) return;
    await debuggers.use(worker, async (debug) => {
      if (probe.ended === undefined && !debug.placements.has(probe)) await debug.place(probe);
      // It may have ended while it was being placed.
      if (probe.ended !== undefined && debug.placements.has(probe)) await debug.remove(probe);
    });
  }

  function targets({ workerIndex }: Probe): readonly WorkerTarget[] {
    return inspectableWorkers(workers()).filter(
      ({ index }) => workerIndex === undefined || index === workerIndex,
    );
  }

  async function place(probe: Probe): Promise<readonly PromiseSettledResult<void>[]> {
    return Promise.allSettled(targets(probe).map((worker) => placeOn(worker, probe)));
  }

  async function sync(): Promise<void> {
    await Promise.all(active().map(place));
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    await sync();
    looking = false;
  }

  return {
    debuggers,
    sync,
    async add(sessionId, { spec, limits, workerIndex }, signal) {
      const own = [...probes].filter((probe) => probe.sessionId === sessionId);
      const over = own.length - options.probesPerSession + 1;
      if (own.filter(({ ended }) => ended === undefined).length >= options.probesPerSession) {
        throw new ConflictError(
          `This session has set ${options.probesPerSession} things already, which is the most: remove one first (${own.map(({ id }) => id).join(', ')})`,
        );
      }
      // The oldest that have ended make room.
      for (const old of own.filter(({ ended }) => ended !== undefined).slice(0, Math.max(0, over)))
        probes.delete(old);
      lastId += 1;
      const probe: Probe = {
        id: `p${lastId}`,
        sessionId,
        spec,
        limits,
        ...(workerIndex === undefined ? {} : { workerIndex }),
        hits: [],
        taken: 0,
      };
      probes.add(probe);
      try {
        const outcomes = await place(probe);
        signal.throwIfAborted();
        const failed = outcomes.find((outcome) => outcome.status === 'rejected');
        if (failed !== undefined && outcomes.every(({ status }) => status === 'rejected'))
          throw failed.reason;
      } catch (error) {
        await remove(probe, 'it could not be set');
        probes.delete(probe);
        throw error;
      }
      follow();
      return probe;
    },
    list: (sessionId) => [...probes].filter((probe) => probe.sessionId === sessionId),
    find(sessionId, id) {
      const own = [...probes].filter((probe) => probe.sessionId === sessionId);
      const found = own.find((probe) => probe.id === id);
      if (found !== undefined) return found;
      const ids = own.length === 0 ? 'nothing is set' : `there is ${own.map((probe) => probe.id).join(', ')}`;
      throw new NotFoundError(`This session has set no '${id}': ${ids}`);
    },
    placements: (probe) =>
      debuggers.on
        .flatMap(({ placements }) => placements.get(probe) ?? [])
        .toSorted((a, b) => a.worker.index - b.worker.index),
    remove,
    async wait(probe, after, ms, signal) {
      catchUp();
      const { taken } = probe;
      await waiters.until(probe, () => probe.hits.length >= taken, COMPLETE_MS, signal);
      const done = () =>
        probe.hits.length > after || (probe.ended !== undefined && probe.hits.length >= probe.taken);
      await waiters.until(probe, done, ms, signal);
    },
    held: () => debuggers.on.filter(({ hold }) => hold.at !== undefined),
    async sessionEnded(sessionId) {
      const own = [...probes].filter((probe) => probe.sessionId === sessionId);
      for (const probe of own) probes.delete(probe);
      await Promise.all(own.map((probe) => remove(probe, 'the session ended')));
      const standing = debuggers.on.filter(
        ({ hold: { at } }) => at !== undefined && at.holders.every((holder) => holder.ended !== undefined),
      );
      await Promise.allSettled(standing.map(({ hold }) => hold.resume()));
    },
    async close() {
      for (const probe of probes) probe.ended ??= 'the agent stops';
      follow();
      waiters.wakeAll();
      await debuggers.close();
    },
  };
}
