import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { RoundEntry } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { OperationContext } from './operation-context.js';
import { definedFields } from '../defined-fields.js';
import { defineOperation } from './agent-operation.js';
import { approvalAnswer } from './approval-answer.js';
import { fields } from './fields.js';
import { firstAgentAnswer } from './first-agent-answer.js';
import { sessionAnswer, toUsd } from './session-answer.js';
import { unlessMissing } from './unless-missing.js';
import { waitForEntry } from './wait-for-entry.js';

/** Proxies end requests that are silent for a minute. */
const LONGEST_WAIT_S = 50;
const WAIT_NEEDS_A_PLACE =
  'get_agent_session: wait_seconds waits for an entry after after_seq; pass after_seq, the seq of the last entry you have';

/**
 * One session: its transcript, what waits for approval, what each model call and all of them cost. With `after_seq` or
 * `limit` the journal's entries in that range come too, for whoever follows a session; with `wait_seconds` the answer
 * comes as soon as there is one of them, and at the latest after that time.
 */
export const getAgentSession = defineOperation({
  name: 'get_agent_session',
  description:
    'One session: its status, its transcript, what waits for approval, and what it has cost so far. To follow it, ' +
    'ask again with after_seq and wait_seconds.',
  input: z.strictObject({
    session_id: fields.sessionId,
    after_seq: z.int().min(0).optional().describe('Only what came after this entry'),
    limit: z.int().min(1).max(10_000).optional().describe('At most so many entries'),
    wait_seconds: z
      .number()
      .min(0)
      .max(LONGEST_WAIT_S)
      .optional()
      .describe('Answers as soon as there is an entry after after_seq, at the latest after this time'),
  }),
  async run({ session_id, after_seq, limit, wait_seconds = 0 }, _by, context) {
    if (wait_seconds > 0) {
      if (after_seq === undefined) throw new InvalidRequestError(WAIT_NEEDS_A_PLACE);
      // What keeps it from waiting keeps it from answering, too, and is told there.
      await waitForEntry(context, session_id, { afterSeq: after_seq, forMs: wait_seconds * 1000 }).catch(
        () => undefined,
      );
    }
    return unlessMissing(answer(session_id, { after_seq, limit }, context), async () => {
      const row = await context.stored.firstAgent.find(session_id);
      return row && { ...firstAgentAnswer(row, context), messages: row.messages, truncated: false };
    });
  },
});

interface Range {
  readonly after_seq: number | undefined;
  readonly limit: number | undefined;
}

async function answer(
  sessionId: string,
  { after_seq, limit }: Range,
  context: OperationContext,
): Promise<object> {
  const view = await context.agent.get(sessionId, definedFields({ afterSeq: after_seq, limit }));
  const { header, messages, entries, pendingApprovals, budget, truncated, queuedAt } = view;
  const now = context.clock.now();
  const paged = after_seq !== undefined || limit !== undefined;
  return {
    ...sessionAnswer(header, context),
    messages,
    pendingApprovals: pendingApprovals.map((ask) => ({
      ...approvalAnswer(ask, now),
      arguments: ask.arguments,
      ...definedFields({ masked: ask.masked }),
    })),
    rounds: entries.filter((entry) => entry.kind === 'round').map(roundAnswer),
    alerts: entries
      .filter((entry) => entry.kind === 'alert')
      .map(({ seq, at, level, text }) => ({ seq, at, level, text })),
    ...(paged ? { entries } : {}),
    budget: { spent_usd: budget.spentUsd, cap_usd: budget.capUsd, remaining_usd: budget.remainingUsd },
    queuedAt: queuedAt ?? null,
    truncated,
  };
}

/** What one model call used and cost. */
function roundAnswer({ seq, at, model, usage, costMicros, usageEstimated, overrun }: RoundEntry) {
  return {
    seq,
    at,
    model,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cost_usd: toUsd(costMicros),
    ...definedFields({
      cached_prompt_tokens: usage.cachedPromptTokens,
      cache_write_prompt_tokens: usage.cacheWritePromptTokens,
      estimated: usageEstimated,
      overrun,
    }),
  };
}
