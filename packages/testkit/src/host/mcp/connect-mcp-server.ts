import {
  isCallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { HostLogger } from '../log/open-log.js';
import type { HostUser } from '../users/user.js';
import { auditCall } from './audit-call.js';
import { getTool, listTools } from './tool-registry.js';
import type { McpProfile } from './tool.js';

// Harper's, the preferred one first.
const PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26'];
// Of our own: the official handler's type wants every schema to have the type 'object', which a tool may lack.
const listSchemas = { params: z.looseObject({ cursor: z.string().optional() }) };

export interface McpServerOptions {
  readonly profile: McpProfile;
  readonly logger: HostLogger;
  readonly user: HostUser;
  readonly sessionId: string;
  /** How many tools an answer to `tools/list` holds at most. */
  readonly pageSize: number;
}

/** The official protocol server for one request of one user, over this thread's registry. */
export async function connectMcpServer(options: McpServerOptions): Promise<{
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
}> {
  const { profile, logger, user, sessionId, pageSize } = options;
  const server = new Server(
    { name: `harper-stand-in-${profile}`, version: '5.0.0' },
    { capabilities: { tools: { listChanged: true } }, supportedProtocolVersions: PROTOCOL_VERSIONS },
  );
  server.setRequestHandler('tools/list', listSchemas, ({ cursor }) => {
    const query = { user, profile, sessionId, offset: offsetOf(cursor), limit: pageSize };
    const { tools, nextOffset } = listTools(query);
    return { tools, ...(nextOffset !== undefined && { nextCursor: cursorOf(nextOffset) }) };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    const audited = { profile, sessionId, tool: name, user: user.username, args };
    return auditCall(logger, audited, async () => {
      const tool = getTool(name, profile);
      if (tool === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
      const result = await tool.handler(args, { user, profile, sessionId, signal: mcpReq.signal });
      if (isCallToolResult(result)) return result;
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        `The tool ${name} answered with no tool result`,
      );
    });
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return { server, transport };
}

function cursorOf(offset: number): string {
  return Buffer.from(String(offset)).toString('base64url');
}

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = Number(Buffer.from(cursor, 'base64url').toString('utf8') || 'none');
  if (Number.isSafeInteger(offset) && offset > 0) return offset;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `'${cursor}' is no cursor of this list`);
}
