import type { ToolOutput } from '@harperfast/agent-core/contracts';
import type { InspectorLimits } from '@harperfast/agent-tools-inspector';
import { inspectorTools } from '@harperfast/agent-tools-inspector';
import type { LoadWorker } from './load-worker.js';

/** The tools over one worker. */
export interface BenchTools {
  call(name: string, input: object): Promise<ToolOutput>;
  close(): Promise<void>;
}

export function openTools(
  { threadId, port, folder }: LoadWorker,
  transport: 'in-process' | 'port',
  limits: Partial<InspectorLimits> = {},
): BenchTools {
  const provider = inspectorTools({
    transport,
    limits,
    root: folder,
    workers: () => [{ index: 0, threadId, ...(port === undefined ? {} : { port }) }],
  });
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  return {
    async call(name, input) {
      const tools = await provider.tools({ user: 'bench' });
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}`);
      return tool.execute(tool.input.parse(input), {
        sessionId: 's1',
        callId: 'c1',
        caller: { user: 'bench' },
        signal: new AbortController().signal,
        logger,
      });
    },
    close: () => provider.close(),
  };
}
