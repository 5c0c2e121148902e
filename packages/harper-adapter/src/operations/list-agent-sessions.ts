import { STATUSES } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { StoredSession } from '../store/stored-session.js';
import type { OperationContext } from './operation-context.js';
import { definedFields } from '../defined-fields.js';
import { defineOperation } from './agent-operation.js';
import { approvalAnswer } from './approval-answer.js';
import { firstAgentAnswer } from './first-agent-answer.js';
import { sessionAnswer } from './session-answer.js';

/** The sessions of this server, most recently updated first, without their transcripts. */
export const listAgentSessions = defineOperation({
  name: 'list_agent_sessions',
  description:
    'The sessions of this server, most recently updated first: status, title, cost and what waits for approval, ' +
    'without transcripts.',
  input: z.strictObject({
    status: z.enum(STATUSES).optional().describe('Only sessions of this status'),
    limit: z.int().min(1).max(1000).default(100).describe('Sessions of one page'),
    cursor: z.string().min(1).max(1000).optional().describe('From the answer before, for the next page'),
  }),
  async run({ status, limit, cursor }, _by, context) {
    const page = await context.stored.listAll({ limit, ...definedFields({ status, cursor }) });
    return {
      sessions: page.items.map((session) => toAnswer(session, context)),
      cursor: page.cursor ?? null,
    };
  },
});

function toAnswer(session: StoredSession, context: OperationContext): object {
  switch (session.kind) {
    case 'session':
      return {
        ...sessionAnswer(session.header, context),
        pendingApprovals: session.header.pendingApprovals.map((approval) =>
          approvalAnswer(approval, context.clock.now()),
        ),
      };
    case 'first-agent':
      return firstAgentAnswer(session.row, context);
    case 'unreadable': {
      const { session_id, status, updatedAt, problem } = session;
      return { session_id, status, updatedAt, problem, pendingApprovals: [], node: context.node };
    }
  }
}
