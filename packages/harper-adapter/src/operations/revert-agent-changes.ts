import { ConflictError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { OperationContext } from './operation-context.js';
import { defineOperation } from './agent-operation.js';
import { fields } from './fields.js';

/**
 * Takes back what the file tools of a session changed, newest first, byte for byte: all of it, or what came after the
 * change number `to`. With `dry_run` it only lists the changes that are kept, oldest first. Answers 409, and changes
 * nothing, where somebody else changed one of the files since, where the content was dropped for space, and while the
 * session's run is at work.
 */
export const revertAgentChanges = defineOperation({
  name: 'revert_agent_changes',
  description: 'Takes back what the file tools of a session changed, newest first, byte for byte.',
  input: z.strictObject({
    session_id: fields.sessionId,
    to: z.int().min(0).default(0).describe('Number of the last change that stays; 0 takes back all'),
    dry_run: z.boolean().default(false).describe('Only lists the changes'),
  }),
  async run({ session_id, to, dry_run }, by, { agent, fileChanges, announce }) {
    const { header } = await agent.get(session_id, { limit: 1 });
    if (dry_run) {
      const { changes, droppedUpTo } = await fileChanges.listChanges(session_id);
      const later = changes.filter(({ seq }) => seq > to);
      return { session_id, changes: later.map(changeAnswer), dropped_up_to: droppedUpTo };
    }
    if (header.status === 'running') {
      throw new ConflictError(
        `The session ${session_id} runs and may change more files meanwhile: cancel it, or wait for its end`,
        { code: 'session_running' },
      );
    }
    const { reverted, kept } = await fileChanges.revertChanges(session_id, { to });
    announce(`${by} reverted ${reverted.length} file changes of the agent's session ${session_id}`);
    return {
      session_id,
      reverted: reverted.map(changeAnswer),
      kept_folders: kept,
    };
  },
});

type Reverted = Awaited<ReturnType<OperationContext['fileChanges']['revertChanges']>>['reverted'][number];

function changeAnswer(change: Reverted) {
  const { seq, at, tool, root, path } = change;
  return { seq, at, tool, root, path, ...(change.kind === 'move' ? { moved_to: change.to } : {}) };
}
