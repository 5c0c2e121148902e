import type { Agent } from '@harperfast/agent-core';
import type { Clock } from '@harperfast/agent-core/contracts';
import type { FsTools } from '@harperfast/agent-tools-fs';
import type { LiveConfig } from '../live-config.js';
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
  /** This server's name; sessions live on the server that started them. */
  readonly node: string;
  readonly config: LiveConfig;
  /** Rejects with `agent_disabled` while the user the agent acts as is missing, inactive or without a role. */
  readonly checkUser: () => Promise<void>;
}
