import type { ToolProvider } from '@harperfast/agent-core/contracts';
import { createWorkerTask } from '@harperfast/agent-worker-task';
import type { CdpConnection } from './cdp/cdp-connection.js';
import { InspectorUnavailableError } from './cdp/cdp-errors.js';
import { connectByPort } from './cdp/connect-by-port.js';
import { createInProcessConnector } from './cdp/connect-in-process.js';
import type { Inspector } from './inspector.js';
import { DEFAULT_INSPECTOR_LIMITS } from './limits.js';
import type { InspectorLimits } from './limits.js';
import { createNameFinder } from './names/name-finder.js';
import profileWorker from './profile/profile-worker.ts?worker-source';
import type { ProfileInput, ProfileSummary } from './profile/summarize-profile.js';
import { createSourceMaps } from './source-maps/source-maps.js';
import { createProbeBook } from './probes/probe-book.js';
import { inspectorAttach } from './tools/inspector-attach.js';
import { inspectorCatchExceptions } from './tools/inspector-catch-exceptions.js';
import { inspectorDetach } from './tools/inspector-detach.js';
import { inspectorEvaluate } from './tools/inspector-evaluate.js';
import { inspectorPaused } from './tools/inspector-paused.js';
import { inspectorProfileCpu } from './tools/inspector-profile-cpu.js';
import { inspectorReadHits } from './tools/inspector-read-hits.js';
import { inspectorRemoveBreakpoint } from './tools/inspector-remove-breakpoint.js';
import { inspectorResume } from './tools/inspector-resume.js';
import { inspectorScripts } from './tools/inspector-scripts.js';
import { inspectorSetBreakpoint } from './tools/inspector-set-breakpoint.js';
import { inspectorSetLogpoint } from './tools/inspector-set-logpoint.js';
import { inspectorSnapshot } from './tools/inspector-snapshot.js';
import { inspectorStatus } from './tools/inspector-status.js';
import { createWorkerConnections } from './workers/worker-connections.js';
import { nameOf } from './workers/worker-target.js';
import type { WorkerTarget } from './workers/worker-target.js';

/** Heap of the thread that adds up profiles: one of a minute has tens of megabytes of JSON. */
const PROFILE_MB = 512;

export interface InspectorToolsOptions {
  /** The server's worker threads at this moment; asked anew for every call. No other thread is inspected. */
  readonly workers: () => readonly WorkerTarget[];
  /** The folder that relative paths start from; without it paths are absolute or URLs. */
  readonly root?: string;
  readonly limits?: Partial<InspectorLimits>;
  /**
   * How workers are reached: `in-process`, the default, from the main thread of their own process and without any port;
   * `port` over their debug ports, for another process or where that is preferred.
   */
  readonly transport?: 'in-process' | 'port';
  /** Milliseconds since the epoch, for the times of hits; `Date.now` by default. */
  readonly now?: () => number;
}

/** Tools that look into the worker threads of a server. */
export function inspectorTools(options: InspectorToolsOptions): ToolProvider {
  const { workers, root, now = Date.now, transport = 'in-process' } = options;
  const limits: InspectorLimits = { ...DEFAULT_INSPECTOR_LIMITS, ...options.limits };
  const inProcess = createInProcessConnector();
  const connections = createWorkerConnections(
    transport === 'port' ? overPort : ({ threadId }) => inProcess.connect(threadId),
    limits.idleMs,
  );
  const { holdMs, followMs, probesPerSession } = limits;
  const maps = createSourceMaps(root);
  const names = createNameFinder();
  const book = createProbeBook({
    workers,
    connections,
    now,
    holdMs,
    followMs,
    probesPerSession,
    maps,
    names,
  });
  const inspector: Inspector = { workers, connections, book, limits, root, maps };
  const summarize = createWorkerTask<ProfileInput, ProfileSummary>({
    source: profileWorker,
    name: 'summarize-profile',
    memoryMb: PROFILE_MB,
  });
  const tools = [
    inspectorStatus(inspector),
    inspectorCatchExceptions(inspector),
    inspectorSnapshot(inspector),
    inspectorReadHits(inspector),
    inspectorRemoveBreakpoint(inspector),
    inspectorEvaluate(inspector),
    inspectorScripts(inspector),
    inspectorProfileCpu(inspector, summarize),
    inspectorSetLogpoint(inspector),
    inspectorSetBreakpoint(inspector),
    inspectorPaused(inspector),
    inspectorResume(inspector),
    inspectorAttach(inspector),
    inspectorDetach(inspector),
  ];
  return {
    name: 'inspector',
    tools: () => tools,
    async sessionEnded(sessionId) {
      await book.sessionEnded(sessionId);
      await connections.detachSession(sessionId);
    },
    async close() {
      await book.close();
      await connections.close();
      inProcess.close();
      await Promise.all([summarize.close(), maps.close(), names.close()]);
    },
  };
}

async function overPort(worker: WorkerTarget): Promise<CdpConnection> {
  const { port, host } = worker;
  if (port === undefined) {
    throw new InspectorUnavailableError(
      `${nameOf(worker)} has no debug port: it opens one where threads.debug.startingPort is set`,
    );
  }
  return connectByPort({ port, host });
}
