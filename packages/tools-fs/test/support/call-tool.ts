import type { Tool, ToolContext, ToolOutput, ToolProvider } from '@harperfast/agent-core/contracts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A context of a call nobody cancels, unless a signal is given. */
export function toolContext(signal: AbortSignal = new AbortController().signal): ToolContext {
  return { sessionId: 's1', callId: 'c1', caller: { user: 'hdb_agent' }, signal, logger: quiet };
}

/** Calls a tool as the engine does: arguments are validated first. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  input: object,
  signal?: AbortSignal,
): Promise<ToolOutput> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.execute(tool.input.parse(input), toolContext(signal));
}

/** The tools a provider offers. */
export async function toolsOf(provider: ToolProvider): Promise<readonly Tool[]> {
  return provider.tools({ user: 'hdb_agent' });
}
