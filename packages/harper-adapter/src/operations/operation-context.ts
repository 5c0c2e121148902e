import type { Agent } from '@harperfast/agent-core';
import type { Clock } from '@harperfast/agent-core/contracts';
import type { FsTools } from '@harperfast/agent-tools-fs';
import type { TableStore } from '../store/open-table-store.js';

/** What the operations work with. */
export interface OperationContext {
  readonly agent: Agent;
  /** The sessions as they are stored, those of Harper's first agent among them. */
  readonly stored: Pick<TableStore, 'listAll' | 'firstAgent'>;
  readonly clock: Clock;
  /** What the file tools of a session changed, and the way back. */
  readonly fileChanges: Pick<FsTools, 'listChanges' | 'revertChanges'>;
  /** Shows a line in the server's log whatever its level is. */
  readonly announce: (message: string) => void;
  /** The user the agent acts as; it may not decide for itself. */
  readonly agentUser: string;
  /** This server's name; sessions live on the server that started them. */
  readonly node: string;
  /** Recorded for clients; it routes nothing. */
  readonly provider: { current: string | undefined };
  /** The configuration beyond the agent's own settings. */
  readonly fixedConfig: Readonly<Record<string, unknown>>;
}
