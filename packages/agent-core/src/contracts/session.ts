import type { Effect } from './effect.js';

/** Clients of Harper's first agent know these six. */
export type Status = 'idle' | 'running' | 'awaiting_approval' | 'completed' | 'aborted' | 'error';

export const STATUSES: readonly Status[] = [
  'idle',
  'running',
  'awaiting_approval',
  'completed',
  'aborted',
  'error',
];

/** Why a run ended. */
export type StopReason =
  | 'answered'
  | 'max_turns'
  | 'budget'
  | 'cancelled'
  | 'cut_short'
  | 'empty_reply'
  | 'repeated_call'
  | 'model_error'
  | 'interrupted';

/** What a run that ended early says about itself. */
export interface RunError {
  /** The stop reason, or the code of the error behind it. */
  readonly code: string;
  readonly message: string;
  /** What the run had spent, and what it was allowed, where that is the reason. */
  readonly spent?: number;
  readonly limit?: number;
}

/** Sums over the whole session. */
export interface Totals {
  /** Model calls that were answered. */
  readonly rounds: number;
  readonly toolCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costMicros: number;
}

/** What the header tells of an approval that waits; its arguments stay in the journal. */
export interface PendingApproval {
  readonly approvalId: string;
  readonly callId: string;
  readonly tool: string;
  readonly effect: Effect;
  /** When it was asked, milliseconds since the epoch. */
  readonly at: number;
}

/** A decision that holds for the rest of the session: this tool, at this effect. */
export interface SessionGrant {
  /** The approval whose decision gave it. */
  readonly approvalId: string;
  readonly tool: string;
  readonly toolId: string;
  readonly effect: Effect;
  readonly by: string;
  readonly at: number;
}

/** The version of the stored form that this code writes. */
export const SCHEMA_VERSION = 1;

/** One row a session: everything a list needs, none of the transcript. */
export interface SessionHeader {
  readonly id: string;
  readonly schemaVersion: number;
  /** Who started it. */
  readonly user: string;
  readonly status: Status;
  /** The seq of the last entry; 0 before the first. */
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The first prompt's beginning. */
  readonly title: string;
  readonly totals: Totals;
  readonly pendingApprovals: readonly PendingApproval[];
  readonly grants: readonly SessionGrant[];
  /** Random; marks where tool output begins and ends in what the model reads, so that no output can fake it. */
  readonly delimiter: string;
  readonly stopReason?: StopReason;
  readonly lastError?: RunError;
}
