import { z } from 'zod';
import { definedFields } from '../defined-fields.js';
import { defineOperation } from './agent-operation.js';
import { fields } from './fields.js';
import { toEvents } from './to-events.js';

/**
 * Follows a session: answers its journal entries after `after_seq` (from the beginning when it is left out), then each
 * as it becomes durable. Harper sends what is answered here as server-sent events to a client that accepts
 * `text/event-stream`. Ends when the client leaves or the session is deleted.
 */
export const watchAgentSession = defineOperation({
  name: 'watch_agent_session',
  description:
    'Follows a session as a stream: its entries so far, then each as it becomes durable. Server-sent events for a ' +
    'client that accepts text/event-stream.',
  input: z.strictObject({
    session_id: fields.sessionId,
    after_seq: z.int().min(0).optional().describe('Only what came after this entry'),
  }),
  async run({ session_id, after_seq }, _by, { agent, clock }) {
    const left = new AbortController();
    const entries = await agent.watch(session_id, {
      signal: left.signal,
      ...definedFields({ afterSeq: after_seq }),
    });
    return toEvents(entries, { left, clock });
  },
});
