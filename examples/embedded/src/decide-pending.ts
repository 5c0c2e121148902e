import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import type { AgentClient, PendingCall } from './agent-client.js';
import { approveLine } from './curl-lines.js';

/** What the example needs to answer for the operator. */
export interface DecideOptions {
  readonly client: AgentClient;
  readonly host: EmbeddedHost;
  readonly sessionId: string;
  /** Nobody will come to decide. */
  readonly unattended: boolean;
  readonly say: (line: string) => void;
}

/**
 * Answers for the operator: a reload of the workers is approved, because the example is about that. Anything else is
 * left to whoever watches; where nobody does it is denied, and the model is told why.
 */
export async function decidePending(pending: PendingCall, options: DecideOptions): Promise<void> {
  const { client, host, sessionId, unattended, say } = options;
  if (pending.toolName === 'restart_service') {
    say('            The example approves it through approve_agent_action.');
    await client.decide(sessionId, pending.id, true, 'approved by the example');
  } else if (unattended) {
    say('            Nobody is here to decide: the example denies it through approve_agent_action.');
    await client.decide(
      sessionId,
      pending.id,
      false,
      'nobody is here to approve this; find a way without it',
    );
  } else {
    say(`            It waits for you. To approve it:\n${approveLine(host, sessionId, pending.id)}`);
  }
}
