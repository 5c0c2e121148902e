import type { ToolContext } from '@harperfast/agent-core/contracts';

/** What a tool gets besides its input, for a user, with a logger that says nothing. */
export function toolContext(user: string): ToolContext {
  const silent = () => undefined;
  return {
    sessionId: 's1',
    callId: 'c1',
    caller: { user },
    signal: new AbortController().signal,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  };
}
