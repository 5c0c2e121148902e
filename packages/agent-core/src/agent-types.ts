import type {
  AlertEntry,
  Caller,
  Clock,
  Entry,
  Logger,
  ModelGateway,
  Page,
  PriceBook,
  PromptSource,
  Redactor,
  SessionHeader,
  SessionStore,
  Status,
  TokenCounter,
  ToolProvider,
} from './contracts/index.js';
import type { EntryRange, SessionView } from './session/session-view.js';
import type { AgentSettings } from './settings.js';

/** Everything an agent needs from the world. */
export interface AgentOptions {
  readonly store: SessionStore;
  readonly gateway: ModelGateway;
  /** In order of precedence: of two tools with one name the earlier provider's is used. */
  readonly providers: readonly ToolProvider[];
  /** Who the agent acts as. This user can start, decide and configure nothing here. */
  readonly caller: Caller;
  /** Asked for every model call. */
  readonly systemPrompt: () => string;
  readonly prices: PriceBook;
  readonly settings?: Partial<AgentSettings>;
  readonly tokens?: TokenCounter;
  readonly redactor?: Redactor;
  readonly clock?: Clock;
  readonly newId?: (prefix: string) => string;
  readonly logger?: Logger;
  /** Keys the fingerprints of arguments; must be the same after a restart for approvals to stay valid. */
  readonly fingerprintKey?: string;
  /**
   * Called with the entries of each write of a journal, once they are durable: each entry once, a session's in order,
   * those of `recover` included. Nothing waits for it.
   */
  readonly onEntries?: (sessionId: string, entries: readonly Entry[]) => void;
}

/** What calls the operator's attention. */
export interface AlertInput {
  readonly sessionId: string;
  readonly level: AlertEntry['level'];
  readonly text: string;
}

export interface PromptInput {
  readonly message: string;
  /** Absent: a new session. */
  readonly sessionId?: string;
  /** Given by a client that may repeat its request: the repetition answers the first one's result. */
  readonly messageId?: string;
  readonly by: string;
  readonly source?: PromptSource;
  /** Caps of this prompt's run; they only tighten the settings. */
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
}

export interface PromptReceipt {
  readonly sessionId: string;
  readonly messageId: string;
  readonly status: Status;
}

export interface ApprovalInput {
  readonly sessionId: string;
  readonly approvalId: string;
  readonly approved: boolean;
  readonly by: string;
  /** Reaches the model when the call is denied. */
  readonly note?: string;
  /** Grants the same tool at the same effect for the rest of the session; only for calls that write or disrupt. */
  readonly remember?: 'session';
}

export interface ResolvedApproval extends ApprovalInput {
  readonly callId: string;
  readonly tool: string;
  readonly decidedAt: number;
}

/** A session with what it may still spend. */
export interface AgentSessionView extends SessionView {
  readonly budget: { readonly spentUsd: number; readonly capUsd: number; readonly remainingUsd: number };
  /** Since when the run waits for one of the slots, if it does. */
  readonly queuedAt?: number;
}

export interface ListQuery {
  readonly status?: Status;
  /** At most 1,000; 100 when absent. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** The agent as a host sees it. Every error it throws on purpose is an `AgentError` with a `statusCode`. */
export interface Agent {
  readonly settings: AgentSettings;
  /** Accepts a message, durable when it resolves, and starts the session's run or joins the one at work. */
  prompt(input: PromptInput): Promise<PromptReceipt>;
  get(sessionId: string, range?: EntryRange): Promise<AgentSessionView>;
  /** Headers only, newest first. */
  list(query?: ListQuery): Promise<Page<SessionHeader>>;
  /**
   * The session's entries after `afterSeq` (from the beginning when absent), then each as it becomes durable; none left
   * out, none twice. Ends when the signal aborts or the session is deleted.
   */
  watch(
    sessionId: string,
    options: { readonly afterSeq?: number; readonly signal: AbortSignal },
  ): Promise<AsyncGenerator<Entry, void, undefined>>;
  /** Ends the session's run, its open calls and approvals. `cancelled: false` when nothing was going on. */
  cancel(sessionId: string, by: string): Promise<{ readonly cancelled: boolean }>;
  /** Decides one approval, once; when it was the last one the run goes on. */
  approve(input: ApprovalInput): Promise<ResolvedApproval>;
  /** Writes an alert into the session's journal; durable when it resolves. It starts nothing. */
  alert(input: AlertInput): Promise<void>;
  /** Takes back what a decision with `remember` granted. */
  revokeGrant(sessionId: string, approvalId: string, by: string): Promise<void>;
  /** Ends what runs of the session and removes it with all its entries. */
  delete(sessionId: string, by: string): Promise<void>;
  /** Changes settings in memory, for runs at work too. */
  setConfig(patch: unknown, by?: string): AgentSettings;
  /** To be called once, before anything else, when the process starts: settles what the last process left. */
  recover(): Promise<{ readonly interrupted: number; readonly resumed: number }>;
  /** Ends all runs as interrupted and closes the providers. */
  close(): Promise<void>;
}
