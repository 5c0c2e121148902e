import type { IncomingMessage, ServerResponse } from 'node:http';
import { isInitializeRequest, type Server } from '@modelcontextprotocol/server';
import type { HostLogger } from '../log/open-log.js';
import { headersOf } from '../server/headers-of.js';
import { writeResponse } from '../server/write-response.js';
import type { Tables } from '../tables/open-tables.js';
import type { HostUser } from '../users/user.js';
import { connectMcpServer } from './connect-mcp-server.js';
import { McpRefusal } from './mcp-refusal.js';
import { type McpSession, McpSessions } from './mcp-sessions.js';
import { onToolsChanged } from './tool-registry.js';
import type { McpProfile } from './tool.js';

const SESSION_HEADER = 'mcp-session-id';

export interface McpEndpointOptions {
  readonly profile: McpProfile;
  readonly tables: Tables;
  readonly logger: HostLogger;
  readonly mountPath: string;
  /** How many tools a page of the list has. */
  readonly pageSize: number;
  /** How long a session lives without a request. */
  readonly idleMs: number;
  /** Whether clients may end their session. */
  readonly allowDelete: boolean;
}

/** A user's request to an endpoint; who it is has been checked. */
interface Call {
  readonly user: HostUser;
  readonly headers: Headers;
  readonly body: unknown;
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
}

/**
 * MCP over Streamable HTTP for one profile. Every request has a protocol server of its own, so that any worker can
 * answer any session; what outlives a request is the session's row and the streams that clients hold open.
 */
export class McpEndpoint {
  readonly mountPath: string;
  readonly #options: McpEndpointOptions;
  readonly #sessions: McpSessions;
  readonly #streams = new Map<string, Server>();
  readonly #startedAt = Date.now();
  readonly #unsubscribe: () => void;
  #telling = false;
  #closed = false;

  constructor(options: McpEndpointOptions) {
    const { profile, tables, idleMs } = options;
    this.#options = options;
    this.mountPath = options.mountPath;
    this.#sessions = new McpSessions(tables, { profile, idleMs });
    this.#unsubscribe = onToolsChanged((changed) => {
      if (changed === profile) this.#tellSoon();
    });
  }

  /** Answers a request of `user`, whose body has been parsed. Never rejects. */
  async serve(
    user: HostUser,
    request: IncomingMessage,
    body: unknown,
    response: ServerResponse,
  ): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const call: Call = { user, headers: headersOf(request), body, signal: left.signal };
    const answer = await this.#answer(request.method ?? '', call).catch((error: unknown) => {
      if (error instanceof McpRefusal) return error.toResponse();
      this.#options.logger.error(error);
      return new McpRefusal(500, 'Internal error').toResponse();
    });
    await writeResponse(response, answer);
  }

  /** Ends the streams; those who listen are told to list anew when what follows may have other tools. */
  async close({ replaced }: { replaced: boolean }): Promise<void> {
    this.#unsubscribe();
    this.#closed = true;
    if (replaced) await this.#tell();
    await Promise.all([...this.#streams.values()].map((server) => server.close()));
  }

  async #answer(method: string, call: Call): Promise<Response> {
    if (method === 'POST') return this.#post(call);
    if (method === 'GET') return this.#listen(call);
    if (method === 'DELETE' && this.#options.allowDelete) {
      const { id } = await this.#sessionOf(call);
      await this.#sessions.end(id);
      await this.#streams.get(id)?.close();
      return new Response(null, { status: 204 });
    }
    throw new McpRefusal(405, `${method} is not served here`);
  }

  async #post(call: Call): Promise<Response> {
    requireAccepted(call, 'application/json');
    if (!isInitializeRequest(call.body)) {
      const { id } = await this.#sessionOf(call);
      return this.#exchange('POST', call, id);
    }
    const answer = await this.#exchange('POST', call, '');
    if (answer.ok) answer.headers.set(SESSION_HEADER, await this.#sessions.open(call.user.username));
    return answer;
  }

  /** A stream on which the client hears that the tools changed; a second one of a session takes its place. */
  async #listen(call: Call): Promise<Response> {
    requireAccepted(call, 'text/event-stream');
    const session = await this.#sessionOf(call);
    await this.#streams.get(session.id)?.close();
    // On a connection that was kept: its stream would hold up the end of this thread.
    if (this.#closed) throw new McpRefusal(503, 'This server is ending: connect again');
    const answer = await this.#exchange('GET', call, session.id);
    // Who comes from an earlier worker may have missed that the tools are others now.
    if (session.openedAt < this.#startedAt) await this.#streams.get(session.id)?.sendToolListChanged();
    return answer;
  }

  async #exchange(method: 'GET' | 'POST', call: Call, sessionId: string): Promise<Response> {
    const { user, headers, body, signal } = call;
    const { profile, logger, pageSize } = this.#options;
    const { server, transport } = await connectMcpServer({ profile, logger, pageSize, user, sessionId });
    if (method === 'GET') {
      this.#streams.set(sessionId, server);
      server.onclose = () => {
        if (this.#streams.get(sessionId) === server) this.#streams.delete(sessionId);
      };
    }
    signal.addEventListener('abort', () => void server.close(), { once: true });
    if (signal.aborted) await server.close();
    // The official transport wants both; Harper asks for JSON only.
    headers.set('accept', 'application/json, text/event-stream');
    const request = new Request(`http://localhost${this.mountPath}`, { method, headers });
    return transport.handleRequest(request, { parsedBody: body });
  }

  async #sessionOf({ headers, user }: Call): Promise<McpSession> {
    const id = headers.get(SESSION_HEADER);
    if (id === null) throw new McpRefusal(400, 'Bad Request: Mcp-Session-Id header is required');
    const session = await this.#sessions.use(id);
    if (session === undefined) throw new McpRefusal(404, 'Session not found');
    if (session.user !== user.username) throw new McpRefusal(403, 'The session is that of another user');
    return session;
  }

  /** Once for all changes of a tick. */
  #tellSoon(): void {
    if (this.#telling || this.#streams.size === 0) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    // A client that has just left is not worth an error.
    await Promise.allSettled([...this.#streams.values()].map((server) => server.sendToolListChanged()));
  }
}

function requireAccepted({ headers }: Call, type: string): void {
  const accepted = headers.get('accept') ?? '*/*';
  if (!accepted.includes(type) && !accepted.includes('*/*')) {
    throw new McpRefusal(406, `Not Acceptable: the client must accept ${type}`);
  }
}
