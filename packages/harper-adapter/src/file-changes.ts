import { join } from 'node:path';
import type { Logger } from '@harperfast/agent-core/contracts';
import type { FileChangeLog, FsTools } from '@harperfast/agent-tools-fs';
import { fsTools, openFileChangeLog } from '@harperfast/agent-tools-fs';
import type { TableStore } from './store/open-table-store.js';

/** The log of what the file tools change, in `changes` of the agent's own folder: 256 MiB for all sessions. */
export function openFileChanges(agentFolder: string, logger: Logger): FileChangeLog {
  return openFileChangeLog({ folder: join(agentFolder, 'changes'), logger });
}

/** Lists and takes back changes for an operator, whatever the agent may do at this moment. */
export function openRevert(
  changes: FileChangeLog,
  componentsRoot: string,
): Pick<FsTools, 'listChanges' | 'revertChanges'> {
  return fsTools({ roots: { components: { path: componentsRoot, mode: 'rw' } }, changeLog: changes });
}

/** The same store, in which a session that is deleted takes along what is kept of its changes. A cancel does not. */
export function forgetWithSession(store: TableStore, changes: FileChangeLog, logger: Logger): TableStore {
  return {
    ...store,
    async delete(id) {
      await store.delete(id);
      // The session is gone either way; what stays here is removed at the next start.
      await changes.remove(id).catch((error: unknown) => {
        logger.error(`The file changes of session ${id} could not be removed: ${String(error)}`);
      });
    },
  };
}

/** Removes what is kept for sessions that are not there any more: the process ended while they were deleted. */
export async function forgetLostSessions(
  store: Pick<TableStore, 'read'>,
  changes: FileChangeLog,
  logger: Logger,
): Promise<void> {
  try {
    for (const id of await changes.sessions()) {
      if ((await store.read(id, { after: 0, limit: 1 })).length === 0) await changes.remove(id);
    }
  } catch (error) {
    logger.error(`The file changes of deleted sessions could not be looked through: ${String(error)}`);
  }
}
