import type { ApplicationTool } from './application-source.js';

/** A session with an MCP server. */
export interface McpSession {
  /** All tools the server lists, whatever number of pages they take. */
  list(signal: AbortSignal): Promise<readonly ApplicationTool[]>;
  /** The answer of `tools/call` as it came. */
  call(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

/** How a session is begun. `onChanged` is called when the server says that its tools are others now. */
export type OpenMcpSession = (
  url: URL,
  options: { readonly signal: AbortSignal; readonly onChanged: () => void },
) => Promise<McpSession>;

/** The server knows the session no more, and did nothing of what it was asked: a new one may ask again. */
export class SessionLostError extends Error {
  override readonly name = 'SessionLostError';
}
