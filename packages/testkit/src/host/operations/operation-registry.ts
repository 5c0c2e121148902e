import { z } from 'zod';
import { HostError } from '../host-error.js';
import { requestContext } from '../server/request-context.js';
import type { HostUser } from '../users/user.js';
import { authorizeOperation, type OperationRule } from './authorize-operation.js';

const LARGEST_SCHEMA = 65_536;

const definitionSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z
    .looseObject({ type: z.literal('object') })
    .refine(
      (schema) => JSON.stringify(schema).length <= LARGEST_SCHEMA,
      `must not be larger than ${LARGEST_SCHEMA} bytes`,
    )
    .optional(),
  execute: z.custom<(body: OperationBody) => unknown>(
    (value) => typeof value === 'function',
    'must be a function',
  ),
  requiresSuperUser: z.boolean().optional(),
});

/** What a handler is given: the whole body of the request, and who sent it. */
export type OperationBody = Readonly<Record<string, unknown>> & {
  readonly operation: string;
  readonly hdb_user?: HostUser;
};

export interface CoreOperation extends OperationRule {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the body, shown to MCP clients; the host itself does not apply it. */
  readonly inputSchema?: object | undefined;
  readonly execute: (body: OperationBody) => unknown;
}

/** The operations of the host: its own, and those that components register. */
export class OperationRegistry {
  readonly #operations = new Map<string, CoreOperation>();
  readonly #onRegistered: () => void;

  /** `onRegistered` is called whenever a component has registered an operation. */
  constructor(onRegistered: () => void = () => {}) {
    this.#onRegistered = onRegistered;
  }

  get(name: string): CoreOperation | undefined {
    return this.#operations.get(name);
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#operations.keys());
  }

  add(operations: readonly CoreOperation[]): void {
    for (const operation of operations) this.#operations.set(operation.name, operation);
  }

  /** Harper's `server.registerOperation`. A name that is taken gets the new handler. */
  readonly register = (definition: unknown): void => {
    const parsed = definitionSchema.safeParse(definition);
    if (!parsed.success) throw new HostError(400, `Not an operation: ${z.prettifyError(parsed.error)}`);
    const { name, description, inputSchema, execute, requiresSuperUser } = parsed.data;
    this.#operations.set(name, { name, description, inputSchema, execute, requiresSuperUser });
    this.#onRegistered();
  };

  /**
   * Runs an operation as `user`. What the handler returns is returned as it is; with `authorize` it is first
   * checked that the user may (403), and without a user that is nobody (401).
   */
  async run(body: unknown, user: HostUser | undefined, authorize: boolean): Promise<unknown> {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new HostError(400, 'The body of a request must be an object');
    }
    // Nobody names the user in the body: it is who signed in, or whom the calling component names.
    const {
      hdb_user: _from,
      bypass_auth: _bypass,
      operation: name,
      ...parameters
    } = body as Record<string, unknown>;
    if (typeof name !== 'string' || name === '') throw new HostError(400, "The body needs an 'operation'");
    const operation = this.#operations.get(name);
    if (operation === undefined) throw new HostError(400, `Operation '${name}' not found`);
    const full: OperationBody = {
      ...parameters,
      operation: name,
      ...(user !== undefined && { hdb_user: user }),
    };
    if (authorize) authorizeOperation(operation, full, user);
    return requestContext.run({ user }, async () => {
      const result: unknown = await operation.execute(full);
      if (result instanceof Error) throw result;
      return result;
    });
  }
}
