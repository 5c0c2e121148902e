import type { HarperHost, HarperTable } from '../host.js';

/** The two tables sessions live in. */
export interface SessionTables {
  /** One row a session, key `session_id`. */
  readonly sessions: HarperTable;
  /** One row an entry, key `[session_id, seq]`. */
  readonly items: HarperTable;
}

/**
 * Opens `system.hdb_agent_session` and `system.hdb_agent_item`, and creates them where they are missing. They stay
 * on this node, and the audit log keeps no copy of them: what is deleted is gone.
 */
export function openSessionTables(host: Pick<HarperHost, 'ensureTable'>): SessionTables {
  return {
    sessions: host.ensureTable({
      database: 'system',
      table: 'hdb_agent_session',
      attributes: [
        { name: 'session_id', isPrimaryKey: true },
        { name: 'user', indexed: true },
        { name: 'status', indexed: true },
        { name: 'createdAt' },
        { name: 'updatedAt', indexed: true },
        { name: 'seq' },
        { name: 'header' },
        // Of Harper's first agent, whose rows stay as they are until they are taken over.
        { name: 'messages' },
        { name: 'pendingApprovals' },
        { name: 'model' },
        { name: 'provider' },
        { name: 'lastError' },
      ],
      replicate: false,
      audit: false,
    }),
    items: host.ensureTable({
      database: 'system',
      table: 'hdb_agent_item',
      attributes: [{ name: 'id', isPrimaryKey: true }, { name: 'kind' }, { name: 'at' }, { name: 'entry' }],
      replicate: false,
      audit: false,
    }),
  };
}
