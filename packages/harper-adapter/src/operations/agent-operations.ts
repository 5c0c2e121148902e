import type { AgentOperation } from './agent-operation.js';
import { agentPrompt } from './agent-prompt.js';
import { approveAgentAction } from './approve-agent-action.js';
import { cancelAgentRun } from './cancel-agent-run.js';
import { deleteAgentSession } from './delete-agent-session.js';
import { getAgentSession } from './get-agent-session.js';
import { listAgentSessions } from './list-agent-sessions.js';
import { revertAgentChanges } from './revert-agent-changes.js';
import { revokeAgentGrant } from './revoke-agent-grant.js';
import { setAgentConfig } from './set-agent-config.js';
import { watchAgentSession } from './watch-agent-session.js';

/** All operations of the agent. */
export const AGENT_OPERATIONS: readonly AgentOperation<unknown>[] = [
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
