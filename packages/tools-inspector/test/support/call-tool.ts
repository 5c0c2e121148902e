import type { ToolOutput, ToolProvider } from '@harperfast/agent-core/contracts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface CallOptions {
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}

/** Calls a tool as the engine does: parsed by its own schema. */
export async function callTool(
  provider: ToolProvider,
  name: string,
  input: unknown,
  { sessionId = 's1', signal = new AbortController().signal }: CallOptions = {},
): Promise<ToolOutput> {
  const tools = await provider.tools({ user: 'hdb_agent' });
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  return tool.execute(tool.input.parse(input), {
    sessionId,
    callId: 'c1',
    caller: { user: 'hdb_agent' },
    signal,
    logger: quiet,
  });
}
