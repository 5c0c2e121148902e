import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { HostError, errorBody, messageOf, statusCodeOf } from '../host-error.js';
import type { HostLogger } from '../log/open-log.js';
import type { McpEndpoint } from '../mcp/mcp-endpoint.js';
import type { OperationRegistry } from '../operations/operation-registry.js';
import type { HostUser } from '../users/user.js';
import type { UserStore } from '../users/user-store.js';
import { listenRetrying } from './listen-retrying.js';
import { OperationsSocket } from './operations-socket.js';
import type { SignIn } from './sign-in.js';
import { iteratorOf, streamAnswer } from './stream-answer.js';

const LONGEST_GOODBYE_MS = 2000;

export interface OperationsServerOptions {
  readonly operations: OperationRegistry;
  readonly signIn: SignIn;
  readonly users: UserStore;
  readonly logger: HostLogger;
  readonly port: number;
  /** Where the API is served, too, to whoever of this machine can open it; nowhere if absent. */
  readonly domainSocket?: string | null | undefined;
  readonly bodyLimit: number;
  /** Requests that come before the components are loaded wait for this. */
  readonly ready: Promise<void>;
  /** Served at its own path, where it is configured. */
  readonly mcp?: McpEndpoint | undefined;
}

/** The operations API: `POST /` with `{ operation, … }`, for who signs in. */
export class OperationsServer {
  readonly #app: FastifyInstance;
  readonly #options: OperationsServerOptions;
  readonly #streams = new AbortController();
  readonly #signedIn = new WeakMap<FastifyRequest, HostUser>();
  readonly #open = new Set<FastifyReply['raw']>();
  readonly #socket: OperationsSocket;

  constructor(options: OperationsServerOptions) {
    this.#options = options;
    this.#app = Fastify({ bodyLimit: options.bodyLimit, forceCloseConnections: true });
    this.#app.addHook('onRequest', (request, reply) => this.#signIn(request, reply));
    this.#app.setErrorHandler((error: FastifyError, _request, reply) => this.#answerError(error, reply));
    this.#app.setNotFoundHandler((request, reply) =>
      reply
        .code(404)
        .send({ error: `There is no ${request.method} ${request.url} here: operations are sent as POST /` }),
    );
    this.#app.post('/', (request, reply) => this.#answer(request, reply));
    this.#socket = new OperationsSocket((request, response) => this.#app.routing(request, response));
    const { mcp } = options;
    if (mcp !== undefined) {
      this.#app.route({
        method: ['GET', 'POST', 'DELETE'],
        url: mcp.mountPath,
        handler: async (request, reply) => {
          const user = this.#userOf(request);
          reply.hijack();
          await mcp.serve(user, request.raw, request.body, reply.raw);
        },
      });
    }
  }

  /** Resolves with the port it listens on. */
  async listen(): Promise<number> {
    const listen = () => this.#app.listen({ host: '127.0.0.1', port: this.#options.port });
    await listenRetrying(listen);
    await this.#listenAtSocket();
    const address = this.#app.server.address();
    if (address === null || typeof address === 'string')
      throw new Error('The operations API has no TCP port');
    return address.port;
  }

  /** The API is there without it, so a root with a path that is too long costs no more than a line in the log. */
  async #listenAtSocket(): Promise<void> {
    const { domainSocket, logger } = this.#options;
    if (domainSocket === undefined || domainSocket === null) return;
    await this.#socket.listen(domainSocket).catch((error: unknown) => {
      logger.warn(`The operations API has no socket in the file system: ${messageOf(error)}`);
    });
  }

  /** Ends the streams, lets the other answers go out (2 s at most), then closes. */
  async close(): Promise<void> {
    this.#streams.abort();
    await this.#options.mcp?.close({ replaced: false });
    this.#app.server.close();
    const answered = [...this.#open].map(
      (response) => new Promise((resolve) => response.once('close', resolve)),
    );
    this.#app.server.closeIdleConnections();
    await Promise.race([Promise.all(answered), after(LONGEST_GOODBYE_MS)]);
    this.#socket.close();
    await this.#app.close();
  }

  async #signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#open.add(reply.raw);
    reply.raw.once('close', () => this.#open.delete(reply.raw));
    await this.#options.ready;
    if (this.#streams.signal.aborted) reply.header('connection', 'close');
    // Before the body is read: a stranger's body is not.
    const { signIn, users } = this.#options;
    const { authorization } = request.headers;
    const trusted = authorization === undefined && this.#socket.has(request.raw.socket);
    const user = trusted ? await users.superUser() : await signIn(authorization);
    if (user === undefined) throw new HostError(401, 'Must login');
    this.#signedIn.set(request, user);
  }

  async #answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const result = await this.#options.operations.run(request.body, this.#userOf(request), true);
    const iterator = iteratorOf(result);
    if (this.#streams.signal.aborted) reply.header('connection', 'close');
    if (iterator === undefined)
      return typeof result === 'object' && result !== null ? result : { message: result };
    const format = request.headers.accept?.includes('text/event-stream') === true ? 'events' : 'json';
    await streamAnswer(reply.raw, iterator, format, this.#streams.signal);
    return reply.hijack();
  }

  #userOf(request: FastifyRequest): HostUser {
    const user = this.#signedIn.get(request);
    if (user === undefined) throw new HostError(401, 'Must login');
    return user;
  }

  #answerError(error: unknown, reply: FastifyReply): void {
    const status = statusCodeOf(error);
    if (status >= 500) this.#options.logger.error(error);
    // Closing while the client still sends would cost it the answer; kept open, the rest of the body is read away.
    if (status === 413) reply.removeHeader('connection');
    void reply.code(status).send(errorBody(error));
  }
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
