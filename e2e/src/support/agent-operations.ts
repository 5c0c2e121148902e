/** The agent's operations, each with a body that would be well formed. */
export const AGENT_OPERATIONS: readonly (readonly [
  name: string,
  fields: Readonly<Record<string, unknown>>,
])[] = [
  ['agent_prompt', { message: 'hello' }],
  ['get_agent_session', { session_id: 'ses_none' }],
  ['list_agent_sessions', {}],
  ['cancel_agent_run', { session_id: 'ses_none' }],
  ['approve_agent_action', { session_id: 'ses_none', approval_id: 'apr_none' }],
  ['revoke_agent_grant', { session_id: 'ses_none', approval_id: 'apr_none' }],
  ['revert_agent_changes', { session_id: 'ses_none' }],
  ['delete_agent_session', { session_id: 'ses_none' }],
  ['watch_agent_session', { session_id: 'ses_none' }],
  ['set_agent_config', { maxTurns: 3 }],
];
