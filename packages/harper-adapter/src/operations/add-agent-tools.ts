import type { HarperRegistry, HarperRegistryTool, HarperServer, HarperToolCallContext } from '../host.js';
import type { AgentOperation } from './agent-operation.js';
import { fieldsOf } from '../fields-of.js';
import { isSuperUser } from '../identity.js';
import { inputSchemaOf } from './agent-operation.js';
import { agentPrompt } from './agent-prompt.js';
import { approveAgentAction } from './approve-agent-action.js';
import { cancelAgentRun } from './cancel-agent-run.js';
import { getAgentSession } from './get-agent-session.js';
import { listAgentSessions } from './list-agent-sessions.js';
import { parseInput } from './parse-input.js';

const READS = { readOnlyHint: true };
const ACTS = { readOnlyHint: false, destructiveHint: true };

/** What an MCP client may drive the agent with. Its configuration is not among them, nor what removes or takes back. */
const TOOLS: readonly (readonly [AgentOperation<unknown>, HarperRegistryTool['annotations'] & object])[] = [
  [agentPrompt, ACTS],
  [getAgentSession, READS],
  [listAgentSessions, READS],
  [approveAgentAction, ACTS],
  [cancelAgentRun, ACTS],
];

/**
 * Puts tools for driving the agent into the list Harper shows MCP clients of its operations. Each call goes through
 * Harper's own permission check as the user who is signed in, and to the same operation as over HTTP. Returns what
 * removes them.
 */
export function addAgentTools(registry: HarperRegistry, server: HarperServer, agentUser: string): () => void {
  for (const [operation, annotations] of TOOLS) {
    const { name, description } = operation;
    registry.addTool({
      name,
      description,
      inputSchema: inputSchemaOf(operation),
      annotations,
      profile: 'operations',
      visibleTo: (user) => mayCall(user, name, agentUser),
      async handler(args, { user }: HarperToolCallContext) {
        try {
          // Nothing but known parameters: no user of the client's choice, no other operation.
          const input = Object(parseInput(operation, Object(args ?? {})));
          return answer(await server.operation({ ...input, operation: name }, { user }, true));
        } catch (error) {
          return failure(name, error);
        }
      },
    });
  }
  return () => {
    for (const [{ name }] of TOOLS) registry.removeTool(name);
  };
}

/** What a list shows; a call is decided by the operation itself. */
function mayCall(user: object, operation: string, agentUser: string): boolean {
  const { role, username } = fieldsOf(user, ['role', 'username']);
  if (!isSuperUser(user) || username === agentUser) return false;
  const { permission } = fieldsOf(role, ['permission']);
  const { operations } = fieldsOf(permission, ['operations']);
  return !Array.isArray(operations) || operations.includes(operation);
}

function answer(result: unknown) {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
}

/** As Harper's own tools fail, with our code beside the message. */
function failure(operation: string, error: unknown) {
  const { code } = fieldsOf(error, ['code']);
  const message = error instanceof Error ? error.message : String(error);
  const told = { kind: 'harper_error', operation, message, ...(typeof code === 'string' ? { code } : {}) };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(told) }] };
}
