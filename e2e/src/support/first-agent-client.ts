import { z } from 'zod';
import { pollUntil } from './poll-until.js';

// What clients of Harper's first agent read, and nothing that came after it.
const approvalSchema = z.object({
  id: z.string(),
  toolName: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  toolCallId: z.string(),
  createdAt: z.number(),
  resolved: z.boolean().optional(),
  approved: z.boolean().optional(),
});
const statusSchema = z.enum(['idle', 'running', 'awaiting_approval', 'completed', 'aborted', 'error']);
const rowSchema = z.object({
  session_id: z.string(),
  user: z.string(),
  status: statusSchema,
  createdAt: z.number(),
  updatedAt: z.number(),
  pendingApprovals: z.array(approvalSchema.partial({ arguments: true })),
});
const sessionSchema = rowSchema.extend({
  messages: z.array(
    z.object({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: z.string(),
      createdAt: z.number(),
    }),
  ),
  pendingApprovals: z.array(approvalSchema),
});
const configSchema = z.looseObject({ enabled: z.boolean(), maxTurns: z.number(), autoApprove: z.boolean() });

type Approval = z.infer<typeof approvalSchema>;
export type FirstAgentSession = z.infer<typeof sessionSchema>;

/** A polling client of Harper's first agent, written from what that agent answered and without a look at this one. */
export class FirstAgentClient {
  readonly #url: string;
  readonly #authorization: string;

  constructor(url: string, { username, password }: { readonly username: string; readonly password: string }) {
    this.#url = url;
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  /** The id of the session. */
  async prompt(message: string, sessionId?: string): Promise<string> {
    const given = sessionId === undefined ? {} : { session_id: sessionId };
    const answer = z.object({ session_id: z.string(), status: z.literal('running') });
    return answer.parse(await this.#send('agent_prompt', { message, ...given })).session_id;
  }

  async session(sessionId: string): Promise<FirstAgentSession> {
    return sessionSchema.parse(await this.#send('get_agent_session', { session_id: sessionId }));
  }

  /** Polls until the session neither runs nor waits, and decides what it asks on the way. */
  async finish(sessionId: string, decide: (approval: Approval) => boolean): Promise<FirstAgentSession> {
    for (;;) {
      const session = await pollUntil(
        () => this.session(sessionId),
        ({ status }) => status !== 'running',
      );
      if (session.status !== 'awaiting_approval') return session;
      for (const approval of session.pendingApprovals) {
        if (approval.resolved !== true) await this.approve(sessionId, approval.id, decide(approval));
      }
    }
  }

  async approve(sessionId: string, approvalId: string, approved: boolean): Promise<Approval> {
    const given = { session_id: sessionId, approval_id: approvalId, approved };
    return approvalSchema.parse(await this.#send('approve_agent_action', given));
  }

  async cancel(sessionId: string) {
    const answer = z.object({ cancelled: z.boolean(), signalledLiveRun: z.boolean() });
    return answer.parse(await this.#send('cancel_agent_run', { session_id: sessionId }));
  }

  async list(limit?: number) {
    const given = limit === undefined ? {} : { limit };
    return z.object({ sessions: z.array(rowSchema) }).parse(await this.#send('list_agent_sessions', given))
      .sessions;
  }

  async config(patch: object = {}) {
    return configSchema.parse(await this.#send('set_agent_config', patch));
  }

  /** Fails as the first agent's clients did: with the status, and `error` of the body as text. */
  async #send(operation: string, fields: object): Promise<unknown> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: this.#authorization },
      body: JSON.stringify({ operation, ...fields }),
    });
    const body: unknown = await response.json();
    if (response.ok) return body;
    const { error } = z.object({ error: z.string() }).parse(body);
    throw Object.assign(new Error(error), { status: response.status });
  }
}
