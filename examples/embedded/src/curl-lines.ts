import type { EmbeddedHost } from '@harperfast/agent-testkit/host';

/** Lines to paste into a shell: what to do next with this host and this session. */
export function curlLines(host: EmbeddedHost, sessionId: string): readonly string[] {
  return [
    'Ask for more, in the same session:',
    operationLine(host, {
      operation: 'agent_prompt',
      session_id: sessionId,
      message: 'describe the system schema',
    }),
    'See the session, and what it asks for under pendingApprovals:',
    operationLine(host, { operation: 'get_agent_session', session_id: sessionId }),
    'Approve what it asks for, by its id:',
    approveLine(host, sessionId, 'APPROVAL_ID'),
    'Call the application:',
    `  curl -s ${host.appUrl}/Hello`,
  ];
}

/** The line that approves one waiting call. */
export function approveLine(host: EmbeddedHost, sessionId: string, approvalId: string): string {
  return operationLine(host, {
    operation: 'approve_agent_action',
    session_id: sessionId,
    approval_id: approvalId,
  });
}

function operationLine(host: EmbeddedHost, body: object): string {
  const { username, password } = host.admin;
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return `  curl -s -u ${username}:${password} ${host.operationsUrl} -H 'content-type: application/json' -d '${json}'`;
}
