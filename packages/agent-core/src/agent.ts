import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { AgentError, ForbiddenError, InvalidRequestError, NotFoundError } from './contracts/index.js';
import type {
  Caller,
  Clock,
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
import { findResolvedAsk } from './approval/find-resolved.js';
import { createContextMeter, roughTokenCounter } from './budget/context-meter.js';
import { toMicros, toUsd } from './budget/money.js';
import type { RunDeps } from './run/deps.js';
import type { LiveSession } from './run/live-session.js';
import { alreadyResolved, createLiveSession } from './run/live-session.js';
import { wellFormed } from './run/normalize-reply.js';
import { createSessionPool } from './run/session-pool.js';
import { createSlots } from './run/slots.js';
import { toHeader } from './session/header.js';
import { createJournal } from './session/journal.js';
import type { EntryRange, SessionView } from './session/session-view.js';
import { viewSession } from './session/session-view.js';
import type { SessionState } from './session/state.js';
import { emptySession } from './session/state.js';
import type { AgentSettings } from './settings.js';
import { DEFAULT_SETTINGS, patchSettings } from './settings.js';
import { systemClock } from './system-clock.js';

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
  readonly note?: string;
}

export interface ResolvedApproval extends ApprovalInput {
  readonly callId: string;
  readonly tool: string;
  readonly decidedAt: number;
}

/** A session with what it may still spend. */
export interface AgentSessionView extends SessionView {
  readonly budget: { readonly spentUsd: number; readonly capUsd: number; readonly remainingUsd: number };
}

/** The agent as a host sees it. Every error it throws on purpose is an `AgentError` with a `statusCode`. */
export interface Agent {
  readonly settings: AgentSettings;
  /** Accepts a message, durable when it resolves, and starts the session's run or joins the one at work. */
  prompt(input: PromptInput): Promise<PromptReceipt>;
  get(sessionId: string, range?: EntryRange): Promise<AgentSessionView>;
  /** Headers only, newest first; 100 a page unless `limit` says otherwise. */
  list(query?: {
    readonly status?: Status;
    readonly limit?: number;
    readonly cursor?: string;
  }): Promise<Page<SessionHeader>>;
  /** Ends the session's run, its open calls and approvals. `cancelled: false` when nothing was going on. */
  cancel(sessionId: string, by: string): Promise<{ readonly cancelled: boolean }>;
  /** Decides one approval, once; when it was the last one the run goes on. */
  approve(input: ApprovalInput): Promise<ResolvedApproval>;
  /** Changes settings in memory, for runs at work too. */
  setConfig(patch: unknown, by?: string): AgentSettings;
  /** To be called once, before anything else, when the process starts: settles what the last process left. */
  recover(): Promise<{ readonly interrupted: number; readonly resumed: number }>;
  /** Ends all runs as interrupted and closes the providers. */
  close(): Promise<void>;
}

export function createAgent(options: AgentOptions): Agent {
  const { store, caller } = options;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  const newId = options.newId ?? ((prefix: string) => `${prefix}_${randomUUID()}`);
  const counter = options.tokens ?? roughTokenCounter;
  let settings = patchSettings(DEFAULT_SETTINGS, options.settings ?? {});
  let closed = false;

  const deps: RunDeps = {
    gateway: options.gateway,
    providers: options.providers,
    caller,
    systemPrompt: options.systemPrompt,
    prices: options.prices,
    redactor: options.redactor ?? { redact: (text) => text },
    clock,
    newId,
    logger,
    settings: () => settings,
    fingerprintKey: options.fingerprintKey ?? 'harperfast-agent',
  };
  const slots = createSlots(() => settings.maxConcurrentRuns);
  // Runs must not inherit the request that caused them: not its user, not its transaction, not its abort.
  const inAgentContext = AsyncLocalStorage.snapshot() as (work: () => Promise<void>) => Promise<void>;
  const pool = createSessionPool({ store, clock, makeLive });

  function makeLive(state: SessionState): LiveSession {
    return createLiveSession({
      journal: createJournal({ store, state, now: () => clock.now() }),
      meter: createContextMeter(counter),
      deps,
      slots,
      inAgentContext,
      onBroken: () => pool.drop(state.id),
      onQuiet: () => pool.rest(state.id),
    });
  }

  function refuseSelf(by: string | undefined, what: string): void {
    if (by !== caller.user) return;
    throw new ForbiddenError(`The agent's own user '${by}' cannot ${what}: a person has to`, { code: 'self_approval' });
  }

  function checkOpen(): void {
    if (closed) throw new AgentError('agent_closed', 'The agent has been stopped', { statusCode: 503 });
  }

  function checkMessage(message: string): string {
    if (message.trim() === '') throw new InvalidRequestError('The message is empty; say what the agent should do');
    const bytes = Buffer.byteLength(message);
    if (bytes > settings.maxPromptBytes) {
      throw new InvalidRequestError(
        `The message has ${bytes} bytes, and ${settings.maxPromptBytes} are allowed; put large material into a file of a component`,
        { statusCode: 413, code: 'prompt_too_large' },
      );
    }
    return wellFormed(message);
  }

  async function find(sessionId: string): Promise<LiveSession> {
    const live = await pool.open(sessionId);
    if (live === undefined) throw new NotFoundError(`There is no session ${sessionId}`);
    return live;
  }

  /** A new session; the same client message id makes the same session, so that a repeated request finds it. */
  async function start(input: PromptInput): Promise<LiveSession> {
    const id = input.messageId === undefined ? newId('ses') : `ses_${hash(`${input.by}\n${input.messageId}`)}`;
    const existing = input.messageId === undefined ? undefined : await pool.open(id);
    if (existing !== undefined) return existing;
    const state = emptySession({ id, user: input.by, createdAt: clock.now() });
    try {
      await store.create(toHeader(state));
    } catch (error) {
      const raced = input.messageId === undefined ? undefined : await pool.open(id);
      if (raced === undefined) throw error;
      return raced;
    }
    return (await pool.open(id)) ?? pool.adopt(state);
  }

  return {
    get settings() {
      return settings;
    },

    async prompt(input) {
      checkOpen();
      refuseSelf(input.by, 'prompt the agent');
      const text = checkMessage(input.message);
      const live = input.sessionId === undefined ? await start(input) : await find(input.sessionId);
      const messageId = input.messageId ?? newId('msg');
      await live.prompt({
        messageId,
        text,
        source: input.source ?? 'operator',
        by: input.by,
        ...(input.maxTurns === undefined ? {} : { maxTurns: input.maxTurns }),
        ...(input.maxCostUsd === undefined ? {} : { maxCostMicros: toMicros(input.maxCostUsd) }),
      });
      return { sessionId: live.journal.head.id, messageId, status: live.journal.durable.status };
    },

    async get(sessionId, range = {}) {
      const live = await find(sessionId);
      const view = await viewSession(live.journal.durable, store, range);
      const cap = toMicros(settings.maxCostUsd);
      const spent = view.header.totals.costMicros;
      return {
        ...view,
        budget: { spentUsd: toUsd(spent), capUsd: toUsd(cap), remainingUsd: toUsd(Math.max(0, cap - spent)) },
      };
    },

    list(query = {}) {
      return store.list({ ...query, limit: query.limit ?? 100 });
    },

    async cancel(sessionId, by) {
      const live = await find(sessionId);
      return { cancelled: await live.cancel(by) };
    },

    async approve(input) {
      checkOpen();
      refuseSelf(input.by, 'decide an approval');
      const live = await find(input.sessionId);
      const { sessionId: _session, ...decision } = input;
      const ask = await live.decide(decision).catch(async (error: unknown) => {
        if (!AgentError.isInstance(error) || error.statusCode !== 404) throw error;
        const resolved = await findResolvedAsk(store, input.sessionId, input.approvalId);
        throw resolved === undefined ? error : alreadyResolved(input.approvalId);
      });
      return { ...input, callId: ask.callId, tool: ask.tool, decidedAt: clock.now() };
    },

    setConfig(patch, by) {
      refuseSelf(by, 'change the configuration');
      settings = patchSettings(settings, patch);
      logger.info(`Settings changed by ${by ?? 'the host'}: ${Object.keys(patch as object).join(', ')}`);
      return settings;
    },

    async recover() {
      const found = { interrupted: 0, resumed: 0 };
      for (const status of ['running', 'awaiting_approval'] as const) {
        let cursor: string | undefined;
        const ids: string[] = [];
        do {
          const page = await store.list({ status, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
          ids.push(...page.items.map((header) => header.id));
          cursor = page.cursor;
        } while (cursor !== undefined);
        for (const id of ids) {
          const outcome = await find(id).then((live) => live.recover());
          if (outcome !== 'untouched') found[outcome]++;
        }
      }
      return found;
    },

    async close() {
      closed = true;
      await Promise.all(pool.live.map((live) => live.stop()));
      await Promise.all(options.providers.map((provider) => provider.close()));
    },
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
