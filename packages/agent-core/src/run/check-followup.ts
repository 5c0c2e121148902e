import { ConflictError } from '../contracts/index.js';
import type { PromptSource } from '../contracts/index.js';
import type { SessionState } from '../session/state.js';
import type { AgentSettings } from '../settings.js';

/**
 * A followup comes by itself: not into a session that was cancelled, and not for ever without an operator. Throws
 * `ConflictError` with the code `session_cancelled` or `unattended_limit`; a prompt of any other source passes.
 */
export function checkFollowup(
  source: PromptSource,
  { id, status, unattended }: Pick<SessionState, 'id' | 'status' | 'unattended'>,
  { maxUnattendedRuns }: Pick<AgentSettings, 'maxUnattendedRuns'>,
): void {
  if (source !== 'followup') return;
  if (status === 'aborted') {
    throw new ConflictError(`The session ${id} was cancelled: no followup starts a run in it`, {
      code: 'session_cancelled',
    });
  }
  if (unattended >= maxUnattendedRuns) {
    throw new ConflictError(
      `The session ${id} has taken ${unattended} followups since the last prompt of an operator, and maxUnattendedRuns is ${maxUnattendedRuns}. Prompt it to go on, or raise maxUnattendedRuns.`,
      { code: 'unattended_limit' },
    );
  }
}
