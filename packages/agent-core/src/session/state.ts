import { SCHEMA_VERSION } from '../contracts/index.js';
import type {
  AskEntry,
  DecisionEntry,
  ModelMessage,
  PromptEntry,
  ResultEntry,
  RunError,
  SessionGrant,
  StartEntry,
  Status,
  StopReason,
  ToolCall,
  Totals,
} from '../contracts/index.js';
import { AppendList } from './append-list.js';

/** A call of the open round and all that is journaled of it. */
export interface OpenCall {
  readonly call: ToolCall;
  readonly start?: StartEntry;
  readonly ask?: AskEntry;
  readonly decision?: DecisionEntry;
  readonly result?: ResultEntry;
}

/** What a run has used and may use. A run goes from the prompt that starts it to its `end`, suspensions included. */
export interface RunLedger {
  readonly turns: number;
  readonly costMicros: number;
  /** Replies in a row that were cut short or empty. */
  readonly unusable: number;
  readonly maxTurns?: number;
  readonly maxCostMicros?: number;
}

/** The same calls in successive rounds, counted. */
export interface Repetition {
  readonly key: string;
  readonly count: number;
}

/** Everything a session is, folded from its journal. Nothing else holds truth. */
export interface SessionState {
  readonly id: string;
  readonly user: string;
  readonly schemaVersion: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly title: string;
  readonly status: Status;
  readonly stopReason?: StopReason;
  readonly lastError?: RunError;
  readonly totals: Totals;
  readonly run: RunLedger;
  /** The calls of the last round while one of them has no result; empty otherwise. */
  readonly openCalls: readonly OpenCall[];
  /** What the model has been or will be sent, in order; a call's message is there once all of its round are. */
  readonly messages: AppendList<ModelMessage>;
  /** The seq each message comes from. */
  readonly messageSeqs: AppendList<number>;
  /** Prompts accepted after the last request was built. */
  readonly unsent: readonly PromptEntry[];
  /** Of the prompts so far, each as `messageKey` has it. */
  readonly messageKeys: AppendList<string>;
  readonly repetition: Repetition;
  readonly grants: readonly SessionGrant[];
  /** Deferred tools that were offered to this session, in that order. */
  readonly offered: readonly string[];
  readonly delimiter: string;
  /** Prompts the engine itself made since the last one by anybody else. */
  readonly systemPrompts: number;
  /** Followups taken since the last prompt of an operator. */
  readonly unattended: number;
  /** Input tokens as reported over those estimated: what corrects the next estimates. */
  readonly tokenRatio: number;
}

const NOTHING_SPENT: Totals = {
  rounds: 0,
  toolCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  costMicros: 0,
};
export const FRESH_RUN: RunLedger = { turns: 0, costMicros: 0, unusable: 0 };

/** A session without entries. */
export function emptySession(origin: {
  readonly id: string;
  readonly user: string;
  readonly createdAt: number;
  readonly delimiter: string;
}): SessionState {
  const { id, user, createdAt, delimiter } = origin;
  return {
    id,
    user,
    createdAt,
    delimiter,
    schemaVersion: SCHEMA_VERSION,
    updatedAt: createdAt,
    seq: 0,
    title: '',
    status: 'idle',
    totals: NOTHING_SPENT,
    run: FRESH_RUN,
    openCalls: [],
    messages: AppendList.of(),
    messageSeqs: AppendList.of(),
    unsent: [],
    messageKeys: AppendList.of(),
    repetition: { key: '', count: 0 },
    grants: [],
    offered: [],
    systemPrompts: 0,
    unattended: 0,
    tokenRatio: 1,
  };
}

/** The approvals that wait for a decision, in the order asked. */
export function undecidedAsks(state: SessionState): readonly AskEntry[] {
  return state.openCalls.flatMap(({ ask, decision, result }) =>
    ask !== undefined && decision === undefined && result === undefined ? [ask] : [],
  );
}

/**
 * What a prompt is known by in its session. Followups have ids of their own, so that no client which happens to use such
 * an id, or means to, takes the place of one.
 */
export function messageKey({ source, messageId }: Pick<PromptEntry, 'source' | 'messageId'>): string {
  return `${source === 'followup' ? 'followup' : 'message'} ${messageId}`;
}
