import type { EmbeddedHost, OperationOptions } from '@harperfast/agent-testkit/host';
import { z } from 'zod';
import { pollUntil } from './poll-until.js';
import type { SessionAnswer } from './session-answer.js';
import { sessionAnswerSchema } from './session-answer.js';

const receiptSchema = z.object({ session_id: z.string(), message_id: z.string(), status: z.string() });
const listSchema = z.object({
  sessions: z.array(
    z.looseObject({ session_id: z.string(), cost_usd: z.number(), totals: z.object({ rounds: z.int() }) }),
  ),
  cursor: z.string().nullable(),
});

type Fields = Readonly<Record<string, unknown>>;

/** The agent's operations as a client of the HTTP interface sees them. */
export class AgentApi {
  readonly #host: EmbeddedHost;

  constructor(host: EmbeddedHost) {
    this.#host = host;
  }

  /** The status and body of an operation, whatever they are. */
  send(operation: string, fields: Fields = {}, options: OperationOptions = {}) {
    return this.#host.operation({ operation, ...fields }, options);
  }

  /** The body of an operation that has to succeed. */
  async call(operation: string, fields: Fields = {}): Promise<unknown> {
    const { status, body } = await this.send(operation, fields);
    if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async prompt(message: string, fields: Fields = {}): Promise<z.infer<typeof receiptSchema>> {
    return receiptSchema.parse(await this.call('agent_prompt', { message, ...fields }));
  }

  /** The session with its whole journal. */
  async session(sessionId: string): Promise<SessionAnswer> {
    return sessionAnswerSchema.parse(
      await this.call('get_agent_session', { session_id: sessionId, after_seq: 0, limit: 500 }),
    );
  }

  async list(fields: Fields = {}): Promise<z.infer<typeof listSchema>> {
    return listSchema.parse(await this.call('list_agent_sessions', fields));
  }

  approve(sessionId: string, approvalId: string, fields: Fields = {}): Promise<unknown> {
    return this.call('approve_agent_action', { session_id: sessionId, approval_id: approvalId, ...fields });
  }

  /** Resolves when the session is as wanted; rejects after 25 s: workers may be replaced meanwhile, more than once. */
  until(sessionId: string, wanted: (session: SessionAnswer) => boolean): Promise<SessionAnswer> {
    return pollUntil(() => this.session(sessionId), wanted, 25_000);
  }

  /** Resolves when the session waits for an operator. */
  untilAwaiting(sessionId: string): Promise<SessionAnswer> {
    return this.until(sessionId, ({ status }) => status === 'awaiting_approval');
  }

  /** Resolves when no run is at work and none waits. */
  untilEnded(sessionId: string): Promise<SessionAnswer> {
    return this.until(sessionId, ({ status }) => status !== 'running' && status !== 'awaiting_approval');
  }

  /** Approves whatever the session asks until its run ends; `asked` tells which tools asked, in order. */
  async approveToTheEnd(
    sessionId: string,
  ): Promise<{ readonly session: SessionAnswer; readonly asked: readonly string[] }> {
    const asked: string[] = [];
    for (;;) {
      const session = await this.until(sessionId, ({ status }) => status !== 'running');
      if (session.status !== 'awaiting_approval') return { session, asked };
      for (const { id, toolName } of session.pendingApprovals) {
        asked.push(toolName);
        await this.approve(sessionId, id);
      }
    }
  }
}
