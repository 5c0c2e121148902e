import { z } from 'zod';
import type { SessionAnswer } from '../../support/session-answer.js';
import { Violation } from '../violation.js';

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prompt'), messageId: z.string() }),
  z.object({
    kind: z.literal('round'),
    calls: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        arguments: z.looseObject({ database: z.string().optional() }),
      }),
    ),
  }),
  z.object({ kind: z.literal('ask'), callId: z.string(), approvalId: z.string() }),
  z.object({ kind: z.literal('decision'), approvalId: z.string(), approved: z.boolean() }),
  z.object({ kind: z.literal('start'), callId: z.string() }),
  z.object({ kind: z.literal('result'), callId: z.string(), outcome: z.string() }),
  z.object({ kind: z.enum(['end', 'alert', 'summary']) }),
]);

/** How the appends of a session came out. */
export interface EffectCounts {
  readonly done: number;
  readonly unknown: number;
}

/**
 * Holds one session's journal against the lines in the file: every append that was journaled as done is there once,
 * what was refused, cancelled or never started is not there, and only an `unknown` may be there or not. `lines` counts
 * the lines of each name; what the journal accounts for is taken out of `unclaimed`.
 */
export function checkEffects(
  session: SessionAnswer,
  lines: ReadonlyMap<string, number>,
  unclaimed: Set<string>,
): EffectCounts {
  const entries = session.entries.map((entry) => entrySchema.parse(entry));
  const names = new Map<string, string>();
  const started = new Set<string>();
  const approvals = new Map<string, string>();
  const asked = new Set<string>();
  const approved = new Set<string>();
  const outcomes = new Map<string, string>();
  const messageIds = new Set<string>();

  for (const entry of entries) {
    if (entry.kind === 'prompt') once(messageIds, entry.messageId, 'the prompt');
    if (entry.kind === 'start') once(started, entry.callId, 'the start of');
    if (entry.kind === 'round') {
      for (const { id, name, arguments: given } of entry.calls)
        if (name === 'create_database' && given.database !== undefined) names.set(id, given.database);
    }
    if (entry.kind === 'ask') {
      approvals.set(entry.approvalId, entry.callId);
      asked.add(entry.callId);
    }
    if (entry.kind === 'decision' && entry.approved) approved.add(approvals.get(entry.approvalId) ?? '');
    if (entry.kind === 'result') {
      if (outcomes.has(entry.callId))
        throw new Violation(`${session.session_id} has two results of ${entry.callId}`);
      outcomes.set(entry.callId, entry.outcome);
    }
  }

  const counts = { done: 0, unknown: 0 };
  for (const [id, name] of names) {
    const there = lines.get(name) ?? 0;
    const outcome = outcomes.get(id);
    const what = `${name} (${session.session_id} ${id}, ${outcome ?? 'no result'})`;
    if (there > 1) throw new Violation(`${what} took effect ${there} times`);
    if (there === 1 && !started.has(id)) throw new Violation(`${what} took effect and never started`);
    if (there === 1 && asked.has(id) && !approved.has(id))
      throw new Violation(`${what} took effect and was not approved`);
    if (there === 1 && ['denied', 'cancelled', 'invalid'].includes(outcome ?? ''))
      throw new Violation(`${what} took effect all the same`);
    if (there === 0 && outcome === 'ok') throw new Violation(`${what} is lost`);
    if (outcome === 'ok') counts.done++;
    if (outcome === 'unknown') counts.unknown++;
    unclaimed.delete(name);
  }
  return counts;
}

function once(seen: Set<string>, id: string, what: string): void {
  if (seen.has(id)) throw new Violation(`${what} ${id} is there twice`);
  seen.add(id);
}
