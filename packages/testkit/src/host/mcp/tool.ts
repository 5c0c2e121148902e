import { z } from 'zod';
import type { HostUser } from '../users/user.js';

/** The two lists of tools: operations live on the main thread, what applications offer on the workers. */
export const MCP_PROFILES = ['operations', 'application'] as const;
export type McpProfile = (typeof MCP_PROFILES)[number];

/** What a tool answers. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** What a tool's handler is told besides its arguments. */
export interface ToolCallContext {
  readonly user: HostUser;
  readonly profile: McpProfile;
  readonly sessionId: string;
  readonly signal?: AbortSignal;
}

const isFunction = (value: unknown) => typeof value === 'function';

/** What `addTool` takes; more fields are kept. */
export const toolSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  inputSchema: z.looseObject({}),
  outputSchema: z.looseObject({}).optional(),
  annotations: z.looseObject({}).optional(),
  profile: z.enum(MCP_PROFILES),
  visibleTo: z.custom<(user: HostUser) => boolean>(isFunction, 'must be a function'),
  handler: z.custom<(args: unknown, context: ToolCallContext) => unknown>(isFunction, 'must be a function'),
});

/** A tool of the registry. `visibleTo` filters lists only: what a call may do is up to the handler. */
export type RegisteredTool = z.infer<typeof toolSchema>;

/** What a client is told of a tool. */
export type ToolDescriptor = Pick<
  RegisteredTool,
  'name' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'
>;

/** Makes the tools of a profile when they are asked for. */
export interface ToolProvider {
  list(): readonly RegisteredTool[];
  get(name: string): RegisteredTool | undefined;
}
