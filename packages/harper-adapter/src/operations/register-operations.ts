import { AsyncLocalStorage } from 'node:async_hooks';
import { ConflictError, ForbiddenError } from '@harperfast/agent-core/contracts';
import type { HarperServer } from '../host.js';
import type { AgentOperation } from './agent-operation.js';
import type { OperationContext } from './operation-context.js';
import { fieldsOf } from '../fields-of.js';
import { isSuperUser } from '../identity.js';
import { inputSchemaOf } from './agent-operation.js';
import { AGENT_OPERATIONS } from './agent-operations.js';
import { OperationError } from './operation-error.js';
import { parseInput } from './parse-input.js';
import { unlessMissing } from './unless-missing.js';

/** What Harper itself adds to the body of a request. */
const HOST_FIELDS =
  /^(operation|hdb_?.*|bypass_auth|impersonate|tokenOperations|progress|base(Request|Response)|fastifyResponse)$/;

/** What the operations act upon. */
export interface OperationTarget {
  /** The user the agent acts as; it may not decide for itself. */
  readonly agentUser: string;
  /** Asked for every call; rejects, with what is to be answered, where there is no agent now. */
  readonly context: () => OperationContext | Promise<OperationContext>;
}

/**
 * Registers the agent's operations. Only a super_user may call them: Harper checks it, and it is checked here
 * again. What they start runs in the context of this call, not in that of the request: a run outlives the request
 * that began it, its abort and its transaction. Whatever fails is an `OperationError`.
 */
export function registerOperations(server: HarperServer, { agentUser, context }: OperationTarget): void {
  const inOwnContext = AsyncLocalStorage.snapshot();
  for (const operation of AGENT_OPERATIONS) {
    const { name, description } = operation;

    async function answer(body: unknown): Promise<unknown> {
      const by = authorize(operation, body, agentUser);
      const input = parseBody(operation, body);
      const current = await context();
      return unlessMissing(operation.run(input, by, current), () =>
        explainFirstAgent(operation, input, current),
      );
    }

    server.registerOperation({
      name,
      description,
      inputSchema: inputSchemaOf(operation),
      requiresSuperUser: true,
      execute: (body) =>
        inOwnContext(() => answer(body)).catch((error: unknown) => {
          throw new OperationError(error);
        }),
    });
  }
}

/** Who calls. Throws 403 for anyone but a super_user, and for the agent itself: no route leads it to its own controls. */
function authorize({ name }: AgentOperation<unknown>, body: unknown, agentUser: string): string {
  const { hdb_user: user } = fieldsOf(body, ['hdb_user']);
  const { username } = fieldsOf(user, ['username']);
  if (typeof username !== 'string' || !isSuperUser(user)) {
    throw new ForbiddenError(`${name} needs a super_user`);
  }
  if (username === agentUser) {
    throw new ForbiddenError(
      `self_approval: '${username}' is the user the agent acts as and may not call ${name}; use another super_user`,
      { code: 'self_approval' },
    );
  }
  return username;
}

/** Throws where the session that was not found is one of Harper's first agent: those are listed, too. */
async function explainFirstAgent(
  { name }: AgentOperation<unknown>,
  input: unknown,
  { stored }: OperationContext,
): Promise<undefined> {
  const { session_id: id } = fieldsOf(input, ['session_id']);
  if (typeof id !== 'string' || (await stored.firstAgent.find(id)) === undefined) return undefined;
  throw new ConflictError(
    `${name}: the session ${id} was written by Harper's first agent. Nothing of it runs or waits any more; ` +
      'prompt it once to go on with it here, or delete it',
    { code: 'first_agent_session' },
  );
}

function parseBody(operation: AgentOperation<unknown>, body: unknown): unknown {
  const given = Object.entries(Object(body)).filter(([key]) => !HOST_FIELDS.test(key));
  return parseInput(operation, Object.fromEntries(given));
}
