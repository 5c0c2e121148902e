import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { z } from 'zod';

const call = z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) });
const at = { seq: z.int(), at: z.number() };

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ ...at, kind: z.literal('prompt'), text: z.string(), source: z.string(), by: z.string() }),
  z.object({
    ...at,
    kind: z.literal('round'),
    content: z.string(),
    calls: z.array(call),
    usage: z.object({ promptTokens: z.number(), completionTokens: z.number() }),
    costMicros: z.number(),
  }),
  z.object({ ...at, kind: z.literal('start'), callId: z.string() }),
  z.object({
    ...at,
    kind: z.literal('result'),
    callId: z.string(),
    outcome: z.string(),
    text: z.string(),
    durationMs: z.number(),
  }),
  z.object({
    ...at,
    kind: z.literal('ask'),
    approvalId: z.string(),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    effect: z.string(),
  }),
  z.object({
    ...at,
    kind: z.literal('decision'),
    approved: z.boolean(),
    by: z.string(),
    note: z.string().optional(),
  }),
  z.object({ ...at, kind: z.literal('alert'), level: z.string(), text: z.string() }),
  z.object({ ...at, kind: z.literal('summary'), text: z.string() }),
  z.object({
    ...at,
    kind: z.literal('end'),
    reason: z.string(),
    error: z.object({ message: z.string() }).optional(),
  }),
]);

const sessionSchema = z.object({
  session_id: z.string(),
  status: z.enum(['idle', 'running', 'awaiting_approval', 'completed', 'aborted', 'error']),
  seq: z.int(),
  stop_reason: z.string().nullable(),
  cost_usd: z.number(),
  lastError: z.object({ code: z.string(), message: z.string() }).nullable(),
  entries: z.array(entrySchema).default([]),
  pendingApprovals: z.array(
    z.object({
      id: z.string(),
      toolName: z.string(),
      reason: z.string(),
      arguments: z.record(z.string(), z.unknown()),
    }),
  ),
});

export type SessionEntry = z.infer<typeof entrySchema>;
export type SessionAnswer = z.infer<typeof sessionSchema>;
export type PendingCall = SessionAnswer['pendingApprovals'][number];

/** A request to the operations API. */
interface OperationBody {
  readonly operation: string;
  readonly [field: string]: unknown;
}

/** The agent's operations over HTTP, as far as the example needs them. Every method throws on an answer above 299. */
export interface AgentClient {
  prompt(message: string): Promise<{ readonly session_id: string }>;
  /** The session with the entries after a place in its journal. */
  session(sessionId: string, afterSeq: number): Promise<SessionAnswer>;
  decide(sessionId: string, approvalId: string, approved: boolean, note: string): Promise<void>;
}

export function createAgentClient(host: EmbeddedHost): AgentClient {
  async function operation<Answer>(schema: z.ZodType<Answer>, body: OperationBody): Promise<Answer> {
    const { status, body: answer } = await host.operation(body);
    if (status >= 300) throw new Error(`${body.operation} answered ${status}: ${JSON.stringify(answer)}`);
    return schema.parse(answer);
  }
  return {
    prompt: (message) =>
      operation(z.object({ session_id: z.string() }), { operation: 'agent_prompt', message } as const),
    session: (session_id, after_seq) =>
      operation(sessionSchema, {
        operation: 'get_agent_session',
        session_id,
        after_seq,
        limit: 500,
      } as const),
    async decide(session_id, approval_id, approved, note) {
      const body = { operation: 'approve_agent_action', session_id, approval_id, approved, note };
      await operation(z.object({ resolved: z.literal(true) }), body);
    },
  };
}
