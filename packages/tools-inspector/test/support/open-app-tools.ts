import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { onTestFinished } from 'vitest';
import { inspectorTools } from '../../src/index.js';
import type { InspectorLimits, WorkerTarget } from '../../src/index.js';
import { callTool } from './call-tool.js';
import type { CallOptions } from './call-tool.js';
import { createApp } from './start-app.js';
import type { App, AppWorker } from './start-app.js';

/** Over what the tools reach the workers; the same tests hold for both. */
export const TRANSPORTS = ['in-process', 'port'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface AppTools {
  readonly app: App;
  readonly workers: AppWorker[];
  readonly call: (name: string, input?: unknown, options?: CallOptions) => Promise<ToolOutput>;
  /** Sets something and returns its id. */
  readonly set: (name: string, input: unknown, options?: CallOptions) => Promise<string>;
  /** Ends a worker and starts another one in its place. */
  readonly replace: (index: number) => Promise<void>;
  readonly provider: ReturnType<typeof inspectorTools>;
}

/** The tools over an application's workers. */
export async function openAppTools(
  transport: Transport = 'in-process',
  options: {
    readonly count?: number;
    readonly limits?: Partial<InspectorLimits>;
    readonly env?: Record<string, string>;
    readonly file?: string;
    /** In place of the orders. */
    readonly source?: string;
  } = {},
): Promise<AppTools> {
  const { count = 1, limits = {}, env = {}, file, source } = options;
  const app = await createApp(file, source);
  const start = () => app.start({ debug: transport === 'port', env });
  const workers = await Promise.all(Array.from({ length: count }, start));
  const provider = inspectorTools({
    transport,
    root: app.root,
    limits,
    workers: () => workers.map(target),
  });
  onTestFinished(() => provider.close());
  const call: AppTools['call'] = (name, input = {}, how = {}) => callTool(provider, name, input, how);
  return {
    app,
    workers,
    provider,
    call,
    async set(name, input, how) {
      const { data } = await call(name, input, how);
      return Object(data).id;
    },
    async replace(index) {
      await workers[index]?.terminate();
      workers[index] = await start();
    },
  };
}

function target({ threadId, url }: AppWorker, index: number): WorkerTarget {
  return { index, threadId, ...(url === undefined ? {} : { port: Number(new URL(url).port) }) };
}
