import { z } from 'zod';

const json = z.record(z.string(), z.unknown());
const toolCall = z.object({ id: z.string(), name: z.string(), arguments: json });

/** What `get_agent_session` answers, as far as the checks read it. */
export const sessionAnswerSchema = z.object({
  session_id: z.string(),
  user: z.string(),
  status: z.enum(['idle', 'running', 'awaiting_approval', 'completed', 'aborted', 'error']),
  stop_reason: z.string().nullable(),
  seq: z.int(),
  cost_usd: z.number(),
  totals: z.object({ rounds: z.int(), tool_calls: z.int() }),
  budget: z.object({ spent_usd: z.number(), cap_usd: z.number(), remaining_usd: z.number() }),
  lastError: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.string(),
      toolCalls: z.array(toolCall).optional(),
      toolCallId: z.string().optional(),
    }),
  ),
  entries: z.array(z.looseObject({ kind: z.string(), seq: z.int() })).default([]),
  pendingApprovals: z.array(
    z.object({
      id: z.string(),
      toolName: z.string(),
      arguments: json,
      toolCallId: z.string(),
      reason: z.string(),
    }),
  ),
});

export type SessionAnswer = z.infer<typeof sessionAnswerSchema>;

/** A tool call of the transcript with its outcome and what the model read; `open` while there is no result. */
export interface SeenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly outcome: string;
  readonly text: string;
}

const resultSchema = z.object({
  kind: z.literal('result'),
  callId: z.string(),
  outcome: z.string(),
  text: z.string(),
});

/** All calls of a session in the order the model made them. */
export function callsOf({ messages, entries }: SessionAnswer): readonly SeenCall[] {
  const results = new Map(
    entries.flatMap((entry) => {
      const parsed = resultSchema.safeParse(entry);
      return parsed.success ? [[parsed.data.callId, parsed.data] as const] : [];
    }),
  );
  return messages.flatMap((message) =>
    (message.toolCalls ?? []).map(({ id, name, arguments: given }) => {
      const result = results.get(id);
      return { name, arguments: given, outcome: result?.outcome ?? 'open', text: result?.text ?? '' };
    }),
  );
}

/** The last thing the model said. */
export function answerOf({ messages }: SessionAnswer): string {
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
}
