import { SCHEMA_VERSION } from '@harperfast/agent-core/contracts';
import type {
  Entry,
  JsonObject,
  PromptEntry,
  RoundEntry,
  SessionHeader,
} from '@harperfast/agent-core/contracts';

/** A moment in 2030: entries and headers of the samples follow it by milliseconds. */
export const START = Date.UTC(2030, 0, 1);

/** The header of an idle session without entries. */
export function sampleHeader(id: string, fields: Partial<SessionHeader> = {}): SessionHeader {
  return {
    id,
    schemaVersion: SCHEMA_VERSION,
    user: 'operator',
    status: 'idle',
    seq: 0,
    createdAt: START,
    updatedAt: START,
    title: `The session ${id}`,
    totals: { rounds: 0, toolCalls: 0, promptTokens: 0, completionTokens: 0, costMicros: 0 },
    pendingApprovals: [],
    grants: [],
    delimiter: 'd3l1m',
    ...fields,
  };
}

/** A prompt entry at this place of the journal. */
export function samplePrompt(seq: number, text = `Prompt ${seq}`): PromptEntry {
  return {
    seq,
    at: START + seq,
    kind: 'prompt',
    messageId: `m${seq}`,
    text,
    source: 'operator',
    by: 'operator',
  };
}

/** Prompt entries from `first` on. */
export function samplePrompts(first: number, count: number): PromptEntry[] {
  return Array.from({ length: count }, (_, index) => samplePrompt(first + index));
}

/** A round with one call that carries these arguments. */
export function sampleRound(seq: number, callArguments: JsonObject): RoundEntry {
  return {
    seq,
    at: START + seq,
    kind: 'round',
    content: '',
    calls: [{ id: `c${seq}`, name: 'write_file', arguments: callArguments }],
    finishReason: 'tool_calls',
    carriedUpTo: seq - 1,
    usage: { promptTokens: 1200, completionTokens: 80, cachedPromptTokens: 1000 },
    estimatedPromptTokens: 1180.5,
    costMicros: 4321,
    reservedMicros: 9000,
    model: 'default',
  };
}

/** One entry of each kind, with its optional fields, and some once more without them; numbered from 1. */
export function sampleJournal(): Entry[] {
  const at = START;
  const sample: readonly Entry[] = [
    { ...samplePrompt(1, 'Build it'), maxTurns: 3, maxCostMicros: 250_000 },
    { ...samplePrompt(2, 'go on'), source: 'followup', by: 'hdb_agent' },
    {
      ...sampleRound(3, { path: 'a.js', content: 'x' }),
      droppedCalls: 2,
      usageEstimated: true,
      overrun: true,
      loweredMaxTokens: 512,
    },
    sampleRound(4, {}),
    { seq: 0, at, kind: 'start', callId: 'c3', effect: 'write', fingerprint: 'f00d', restartsProcess: true },
    {
      seq: 0,
      at,
      kind: 'result',
      callId: 'c3',
      outcome: 'ok',
      text: 'done',
      truncated: true,
      bytes: 70_000,
      durationMs: 12.5,
    },
    {
      seq: 0,
      at,
      kind: 'ask',
      approvalId: 'a1',
      callId: 'c4',
      tool: 'drop_table',
      arguments: { table: 'dog' },
      effect: 'destructive',
      fingerprint: 'beef',
      toolId: 'registry/drop_table',
      masked: ['table.name'],
    },
    { seq: 0, at, kind: 'decision', approvalId: 'a1', approved: false, by: 'anna', note: 'not this one' },
    { seq: 0, at, kind: 'decision', approvalId: 'a2', approved: true, by: 'anna', remember: 'session' },
    { seq: 0, at, kind: 'decision', approvalId: 'a2', approved: false, by: 'anna', revokesGrant: true },
    {
      seq: 0,
      at,
      kind: 'result',
      callId: 'c4',
      outcome: 'denied',
      text: '',
      truncated: false,
      bytes: 0,
      durationMs: 0,
    },
    { seq: 0, at, kind: 'alert', level: 'warning', text: 'a node is down' },
    {
      seq: 0,
      at,
      kind: 'summary',
      text: 'what happened so far',
      upTo: 4,
      usage: { promptTokens: 9, completionTokens: 1 },
      costMicros: 7,
      model: 'small',
    },
    {
      seq: 0,
      at,
      kind: 'end',
      reason: 'budget',
      carriedUpTo: 2,
      error: { code: 'budget', message: 'spent', spent: 5_000_001, limit: 5_000_000 },
    },
    { seq: 0, at, kind: 'end', reason: 'answered', carriedUpTo: 2 },
  ];
  return sample.map((entry, index) => ({ ...entry, seq: index + 1 }));
}
