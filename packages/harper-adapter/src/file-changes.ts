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
