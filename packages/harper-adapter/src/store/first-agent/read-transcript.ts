import { ConflictError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { FirstAgentRow } from './first-agent-row.js';

const createdAt = z.number().optional();
const content = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content, createdAt }),
  z.object({ role: z.literal('system'), content, createdAt }),
  z.object({
    role: z.literal('assistant'),
    content,
    createdAt,
    toolCalls: z
      .array(
        z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.json()).default({}) }),
      )
      .nullish(),
  }),
  z.object({ role: z.literal('tool'), content, createdAt, toolCallId: z.string() }),
]);

/** A message of Harper's first agent. */
export type FirstAgentMessage = z.infer<typeof messageSchema>;

/** The messages of a row. Throws a `ConflictError` that names the first message of a form that is not known. */
export function readTranscript(row: FirstAgentRow): readonly FirstAgentMessage[] {
  return row.messages.map((message, index) => {
    const parsed = messageSchema.safeParse(message);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw notUnderstood(row, index, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown form'}`);
  });
}

/** The error of a session that can be shown but not gone on with. */
export function notUnderstood(row: FirstAgentRow, index: number, why: string): ConflictError {
  return new ConflictError(
    `The session ${row.session_id} was written by Harper's first agent, and its message ${index} is not understood (${why}). ` +
      'It stays as it is and can be read; start a new session to go on',
    { code: 'first_agent_session' },
  );
}
