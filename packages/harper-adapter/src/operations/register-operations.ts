import { AsyncLocalStorage } from 'node:async_hooks';
import { ConflictError, ForbiddenError, InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { HarperServer } from '../host.js';
import type { AgentOperation } from './agent-operation.js';
import type { OperationContext } from './operation-context.js';
import { fieldsOf } from '../fields-of.js';
import { isSuperUser } from '../identity.js';
import { agentPrompt } from './agent-prompt.js';
import { approveAgentAction } from './approve-agent-action.js';
import { cancelAgentRun } from './cancel-agent-run.js';
import { deleteAgentSession } from './delete-agent-session.js';
import { getAgentSession } from './get-agent-session.js';
import { listAgentSessions } from './list-agent-sessions.js';
import { revertAgentChanges } from './revert-agent-changes.js';
import { revokeAgentGrant } from './revoke-agent-grant.js';
import { setAgentConfig } from './set-agent-config.js';
import { unlessMissing } from './unless-missing.js';
import { watchAgentSession } from './watch-agent-session.js';

const OPERATIONS: readonly AgentOperation<unknown>[] = [
  agentPrompt,
  getAgentSession,
  listAgentSessions,
  cancelAgentRun,
  approveAgentAction,
  revokeAgentGrant,
  revertAgentChanges,
  setAgentConfig,
  deleteAgentSession,
  watchAgentSession,
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
        return inOwnContext(() =>
          unlessMissing(operation.run(input, by, context), () =>
            explainFirstAgent(operation, input, context),
          ),
        );
      },
    });
  }
}

/** Who calls. Throws 403 for anyone but a super_user, and for the agent itself: no route leads it to its own controls. */
function authorize(operation: AgentOperation<unknown>, body: unknown, agentUser: string): string {
  const { hdb_user: user } = fieldsOf(body, ['hdb_user']);
  const { username } = fieldsOf(user, ['username']);
  if (typeof username !== 'string' || !isSuperUser(user)) {
    throw new ForbiddenError(`${operation.name} needs a super_user`);
  }
  if (username === agentUser) {
    throw new ForbiddenError(
      `self_approval: '${username}' is the user the agent acts as and may not call ${operation.name}; use another super_user`,
      { code: 'self_approval' },
    );
  }
  return username;
}

/** Throws where the session that was not found is one of Harper's first agent: those are listed, too. */
async function explainFirstAgent(
  operation: AgentOperation<unknown>,
  input: unknown,
  { stored }: OperationContext,
): Promise<undefined> {
  const { session_id: id } = fieldsOf(input, ['session_id']);
  if (typeof id !== 'string' || (await stored.firstAgent.find(id)) === undefined) return undefined;
  throw new ConflictError(
    `${operation.name}: the session ${id} was written by Harper's first agent. Nothing of it runs or waits any more; ` +
      'prompt it once to go on with it here, or delete it',
    { code: 'first_agent_session' },
  );
}

function parseBody(operation: AgentOperation<unknown>, body: unknown): unknown {
  const given = Object.entries(Object(body)).filter(([key]) => !HOST_FIELDS.test(key));
  const parsed = operation.input.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new InvalidRequestError(`${operation.name}: ${problems.join('; ')}`);
}
