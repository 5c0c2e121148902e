import type { ToolProvider } from '@harperfast/agent-core/contracts';
import { connectInProcess } from './cdp/connect-in-process.js';
import { DEFAULT_INSPECTOR_LIMITS } from './limits.js';
import type { InspectorLimits } from './limits.js';
import { inspectorAttach } from './tools/inspector-attach.js';
import { inspectorDetach } from './tools/inspector-detach.js';
import { inspectorEvaluate } from './tools/inspector-evaluate.js';
import { inspectorStatus } from './tools/inspector-status.js';
import { createWorkerConnections } from './workers/worker-connections.js';
import type { WorkerTarget } from './workers/worker-target.js';

export interface InspectorToolsOptions {
  /** The server's worker threads at this moment; asked anew for every call. No other thread is inspected. */
  readonly workers: () => readonly WorkerTarget[];
  readonly limits?: Partial<InspectorLimits>;
}

/** Tools that look into the worker threads of this process, from its main thread, without any port. */
export function inspectorTools({ workers, limits }: InspectorToolsOptions): ToolProvider {
  const settled: InspectorLimits = { ...DEFAULT_INSPECTOR_LIMITS, ...limits };
  const connections = createWorkerConnections((threadId) => connectInProcess(threadId));
  const tools = [
    inspectorStatus(workers, connections),
    inspectorAttach(workers, connections),
    inspectorEvaluate(workers, connections, settled),
    inspectorDetach(workers, connections),
  ];
  return {
    name: 'inspector',
    tools: () => tools,
    sessionEnded: (sessionId) => connections.detachSession(sessionId),
    close: () => connections.close(),
  };
}
