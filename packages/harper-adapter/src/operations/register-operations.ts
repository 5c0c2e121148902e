import { AsyncLocalStorage } from 'node:async_hooks';
import { ForbiddenError, InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { HarperServer } from '../host.js';
import type { AgentOperation } from './agent-operation.js';
import type { OperationContext } from './operation-context.js';
import { fieldsOf } from '../fields-of.js';
import { isSuperUser } from '../identity.js';
import { agentPrompt } from './agent-prompt.js';
import { approveAgentAction } from './approve-agent-action.js';
import { cancelAgentRun } from './cancel-agent-run.js';
import { getAgentSession } from './get-agent-session.js';
import { listAgentSessions } from './list-agent-sessions.js';
import { setAgentConfig } from './set-agent-config.js';

const OPERATIONS: readonly AgentOperation<unknown>[] = [
  agentPrompt,
  getAgentSession,
  listAgentSessions,
  cancelAgentRun,
  approveAgentAction,
  setAgentConfig,
];

/** What Harper itself adds to the body of a request. */
const HOST_FIELDS =
  /^(operation|hdb_?.*|bypass_auth|impersonate|tokenOperations|progress|base(Request|Response)|fastifyResponse)$/;

/**
 * Registers the agent's operations. Only a super_user may call them: Harper checks it, and it is checked here
 * again. What they start runs in the context of this call, not in that of the request: a run outlives the request
 * that began it, its abort and its transaction.
 */
export function registerOperations(server: HarperServer, context: OperationContext): void {
  const inOwnContext = AsyncLocalStorage.snapshot();
  for (const operation of OPERATIONS) {
    server.registerOperation({
      name: operation.name,
      requiresSuperUser: true,
      async execute(body) {
        const by = authorize(operation, body, context.agentUser);
        const input = parseBody(operation, body);
        return inOwnContext(() => operation.run(input, by, context));
      },
    });
  }
}

/** Who calls. Throws 403 for anyone but a super_user, and for the agent itself where it would decide for itself. */
function authorize(operation: AgentOperation<unknown>, body: unknown, agentUser: string): string {
  const { hdb_user: user } = fieldsOf(body, ['hdb_user']);
  const { username } = fieldsOf(user, ['username']);
  if (typeof username !== 'string' || !isSuperUser(user)) {
    throw new ForbiddenError(`${operation.name} needs a super_user`);
  }
  if (username === agentUser && !operation.openToAgentUser) {
    throw new ForbiddenError(
      `self_approval: '${username}' is the user the agent acts as and may not call ${operation.name}; use another super_user`,
      { code: 'self_approval' },
    );
  }
  return username;
}

function parseBody(operation: AgentOperation<unknown>, body: unknown): unknown {
  const given = Object.entries(Object(body)).filter(([key]) => !HOST_FIELDS.test(key));
  const parsed = operation.input.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new InvalidRequestError(`${operation.name}: ${problems.join('; ')}`);
}
