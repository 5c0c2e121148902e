import type { Effect } from './effect.js';
import type { FinishReason, ToolCall, Usage } from './model.js';
import type { JsonObject } from './json.js';
import type { RunError, StopReason } from './session.js';

interface EntryBase {
  /** Position in the session's journal, from 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type PromptSource = 'operator' | 'followup' | 'system';

/** A message was accepted. */
export interface PromptEntry extends EntryBase {
  readonly kind: 'prompt';
  readonly messageId: string;
  readonly text: string;
  readonly source: PromptSource;
  readonly by: string;
  /** Caps of this prompt's run; they only ever tighten the agent's own. */
  readonly maxTurns?: number;
  readonly maxCostMicros?: number;
}

/** The model answered; written before any of its tools starts. */
export interface RoundEntry extends EntryBase {
  readonly kind: 'round';
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** Calls of a reply that was cut short: they were not run and are not in `calls`. */
  readonly droppedCalls?: number;
  readonly finishReason: FinishReason;
  /** The last seq the request had read: prompts after it were not carried. */
  readonly carriedUpTo: number;
  readonly usage: Usage;
  /** Input tokens as estimated before the call, without any safety margin: what `usage` corrects. */
  readonly estimatedPromptTokens: number;
  /** Present when the provider's usage was missing or made no sense, and is our estimate. */
  readonly usageEstimated?: true;
  /** Micro-dollars booked for this call. */
  readonly costMicros: number;
  /** Micro-dollars reserved before this call. */
  readonly reservedMicros: number;
  /** The call cost more than was reserved for it. */
  readonly overrun?: true;
  /** Present when the budget lowered the output limit of this call. */
  readonly loweredMaxTokens?: number;
  readonly model: string;
}

/** Durable before a tool with effects executes; reads write none. */
export interface StartEntry extends EntryBase {
  readonly kind: 'start';
  readonly callId: string;
  readonly effect: Effect;
  readonly fingerprint: string;
  /** The tool ends this process on purpose: the next one writes its result. */
  readonly restartsProcess?: true;
}

/**
 * How a call ended. `denied`: the gate, an operator or the tool refused · `unknown`: it may or may not have taken
 * effect · `cancelled`: it never started · `invalid`: no such tool, or arguments that do not fit.
 */
export type Outcome = 'ok' | 'error' | 'denied' | 'unknown' | 'cancelled' | 'invalid';

/** The one result of a call: what the model reads. */
export interface ResultEntry extends EntryBase {
  readonly kind: 'result';
  readonly callId: string;
  readonly outcome: Outcome;
  readonly text: string;
  readonly truncated: boolean;
  /** Bytes of the output before it was cut. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Deferred tools that the session's requests carry from here on. */
  readonly offers?: readonly string[];
}

/** An approval is requested for exactly this call with exactly these arguments. */
export interface AskEntry extends EntryBase {
  readonly kind: 'ask';
  readonly approvalId: string;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly effect: Effect;
  readonly fingerprint: string;
  /** Identifies the tool: its provider, its name and its schema. */
  readonly toolId: string;
  /** Dotted paths of arguments that are shown as a mark; the exact values, kept in memory only, will be used. */
  readonly masked?: readonly string[];
}

/** An approval was resolved, or a grant taken back. */
export interface DecisionEntry extends EntryBase {
  readonly kind: 'decision';
  readonly approvalId: string;
  readonly approved: boolean;
  readonly by: string;
  readonly note?: string;
  /** Grants the same tool at the same effect for the rest of the session. */
  readonly remember?: 'session';
  /** Takes back the grant that the decision on `approvalId` gave. */
  readonly revokesGrant?: true;
}

/** The agent calls the operator's attention. */
export interface AlertEntry extends EntryBase {
  readonly kind: 'alert';
  readonly level: 'info' | 'warning' | 'critical';
  readonly text: string;
}

/** Entries up to `upTo` were compacted into `text` for the model; the journal keeps them. */
export interface SummaryEntry extends EntryBase {
  readonly kind: 'summary';
  readonly text: string;
  readonly upTo: number;
  readonly usage: Usage;
  readonly costMicros: number;
  readonly model: string;
}

/** A run ended. */
export interface EndEntry extends EntryBase {
  readonly kind: 'end';
  readonly reason: StopReason;
  /** Prompts up to this seq belong to the run that ends; later ones start another. */
  readonly carriedUpTo: number;
  readonly error?: RunError;
}

/** One line of a session's journal. */
export type Entry =
  | PromptEntry
  | RoundEntry
  | StartEntry
  | ResultEntry
  | AskEntry
  | DecisionEntry
  | AlertEntry
  | SummaryEntry
  | EndEntry;

/** An entry before the journal gives it its place and time. */
export type EntryDraft = Entry extends infer E ? (E extends Entry ? Omit<E, 'seq' | 'at'> : never) : never;
