import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { HostError, messageOf, statusCodeOf } from '../host-error.js';
import type { HostLogger } from '../log/open-log.js';
import type { McpEndpoint } from '../mcp/mcp-endpoint.js';
import { headersOf } from '../server/headers-of.js';
import { requestContext } from '../server/request-context.js';
import type { SignIn } from '../server/sign-in.js';
import { callResource } from './call-resource.js';
import type { Resources } from './load-resources.js';
import { RequestTarget } from './request-target.js';

const LARGEST_BODY = 10_485_760;

export interface ResourceServerOptions {
  readonly resources: Resources;
  readonly logger: HostLogger;
  readonly signIn: SignIn;
  /** Served at its own path, where it is configured. */
  readonly mcp: McpEndpoint | undefined;
}

/** Serves the resources of the components on a port of its own on the loopback address. */
export class ResourceServer {
  readonly #server: Server;
  readonly #resources: Resources;
  readonly #logger: HostLogger;
  readonly #signIn: SignIn;
  readonly #mcp: McpEndpoint | undefined;
  #leaving = false;

  constructor({ resources, logger, signIn, mcp }: ResourceServerOptions) {
    this.#resources = resources;
    this.#logger = logger;
    this.#signIn = signIn;
    this.#mcp = mcp;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /**
   * Serves on for `lingerMs`, telling every client to close its connection, then waits for what is in flight. A
   * connection that were closed at once would lose the request that is just on its way.
   */
  async leave(lingerMs: number): Promise<void> {
    this.#leaving = true;
    await this.#mcp?.close({ replaced: lingerMs > 0 });
    if (lingerMs > 0) await setTimeout(lingerMs);
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#leaving) response.setHeader('connection', 'close');
    try {
      const user = await this.#signIn(request.headers.authorization);
      const mcp = this.#mcp;
      if (mcp !== undefined && urlOf(request).pathname === mcp.mountPath) {
        if (user === undefined) throw new HostError(401, 'Must login');
        await mcp.serve(user, request, await readBody(request), response);
        return;
      }
      const headers = headersOf(request);
      const result = await requestContext.run({ user, headers }, () => this.#answer(request));
      send(response, result);
    } catch (error) {
      const status = statusCodeOf(error);
      if (status >= 500) this.#logger.error(`${request.method} ${request.url} failed:`, error);
      send(response, { status, body: { error: messageOf(error) } });
    }
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, search } = urlOf(request);
    const [name = '', ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
    const resource = this.#resources.get(name);
    if (resource === undefined) throw new HostError(404, `Not found: there is no resource at ${pathname}`);
    if (resource instanceof HostError) throw resource;
    const id = rest.length === 0 || rest.join('/') === '' ? undefined : rest.join('/');
    const body = await readBody(request);
    const target = new RequestTarget(pathname, id, search);
    const result = await callResource(name, resource, request.method ?? 'GET', target, body);
    if (result !== undefined) return { status: 200, body: result };
    if (request.method === 'GET') throw new HostError(404, `Not found: ${pathname} has no content`);
    return { status: 204 };
  }
}

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost');
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

function send(response: ServerResponse, { status, body }: Answer): void {
  let text: string | undefined;
  try {
    text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  } catch (error) {
    send(response, {
      status: 500,
      body: { error: `The result cannot be sent as JSON: ${messageOf(error)}` },
    });
    return;
  }
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, text === undefined ? {} : { 'content-type': type });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST_BODY) throw new HostError(413, `The body is larger than ${LARGEST_BODY} bytes`);
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return undefined;
  if (request.headers['content-type']?.includes('json') !== true) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch (error) {
    throw new HostError(400, `The body is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}
