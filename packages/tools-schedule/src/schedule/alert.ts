import type { AlertEntry } from '@harperfast/agent-core/contracts';

/** Something an operator should know about a session. */
export interface Alert {
  readonly sessionId: string;
  readonly level: AlertEntry['level'];
  readonly text: string;
}

/** Brings an alert before the operator: as `agent.alert` does, into the session's journal. */
export type AlertOperator = (alert: Alert) => Promise<void>;
