import { ConflictError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';

/**
 * Takes back what the file tools of a session changed, newest first, byte for byte: all of it, or what came after the
 * change number `to`. Answers 409, and changes nothing, where somebody else changed one of the files since, where the
 * content was dropped for space, and while the session's run is at work.
 */
export const revertAgentChanges = defineOperation({
  name: 'revert_agent_changes',
  input: z.strictObject({ session_id: id, to: z.int().min(0).default(0) }),
  async run({ session_id, to }, by, { agent, revertChanges, announce }) {
    const { header } = await agent.get(session_id, { limit: 1 });
    if (header.status === 'running') {
      throw new ConflictError(
        `The session ${session_id} runs and may change more files meanwhile: cancel it, or wait for its end`,
        { code: 'session_running' },
      );
    }
    const { reverted, kept } = await revertChanges(session_id, { to });
    announce(`${by} reverted ${reverted.length} file changes of the agent's session ${session_id}`);
    return {
      session_id,
      reverted: reverted.map(({ seq, tool, root, path }) => ({ seq, tool, root, path })),
      kept_folders: kept,
    };
  },
});
