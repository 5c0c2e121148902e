import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Agent, AgentOptions } from './agent-types.js';
import { alreadyResolved } from './approval/check-decision.js';
import { findResolvedAsk } from './approval/find-resolved.js';
import { toMicros, toUsd } from './budget/money.js';
import { createFixedPartCounter, roughTokenCounter } from './context/count-tokens.js';
import { createRequestView } from './context/request-view.js';
import { AgentError, ForbiddenError, NotFoundError } from './contracts/index.js';
import type { RunDeps } from './run/deps.js';
import type { LiveSession } from './run/live-session.js';
import { createLiveSession } from './run/live-session.js';
import { checkMessage } from './run/check-message.js';
import { recoverSessions } from './run/recover-sessions.js';
import { createSessionRemover } from './run/session-remover.js';
import { createRereader } from './run/reread.js';
import { createSessionPool } from './run/session-pool.js';
import { createSlots } from './run/slots.js';
import { startSession } from './run/start-session.js';
import { createToolboxFinder } from './run/toolbox.js';
import { createTurnstile } from './run/turnstile.js';
import { createJournal } from './session/journal.js';
import { observedStore } from './session/observed-store.js';
import { sweepHourly } from './session/retention.js';
import { viewSession } from './session/session-view.js';
import type { SessionState } from './session/state.js';
import { DEFAULT_SETTINGS, patchSettings } from './settings.js';
import { silentLogger } from './silent-logger.js';
import { systemClock } from './system-clock.js';

/** Sessions that go on with their run in one turn of the event loop; each takes some hundred microseconds at most. */
const SESSIONS_A_TURN = 12;
const LONGEST_LIST = 1_000;

/** Makes an agent. Call `recover` before anything else. */
export function createAgent(options: AgentOptions): Agent {
  const { caller } = options;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  const newId = options.newId ?? ((prefix: string) => `${prefix}_${randomUUID()}`);
  let settings = patchSettings(DEFAULT_SETTINGS, options.settings ?? {});
  let closed = false;

  const deps: RunDeps = {
    gateway: options.gateway,
    providers: options.providers,
    caller,
    systemPrompt: options.systemPrompt,
    prices: options.prices,
    tokens: options.tokens ?? roughTokenCounter,
    redactor: options.redactor ?? { redact: (text) => text, redactOutput: (text) => text },
    clock,
    newId,
    logger,
    settings: () => settings,
    findToolbox: createToolboxFinder({ ...options, logger, clock, settings: () => settings }),
    fingerprintKey: options.fingerprintKey ?? 'harperfast-agent',
    turnstile: createTurnstile(SESSIONS_A_TURN),
  };
  const slots = createSlots(() => settings.maxConcurrentRuns);
  // Runs must not inherit the request that caused them: not its user, not its transaction, not its abort.
  const inAgentContext = AsyncLocalStorage.snapshot();
  const { onEntries } = options;
  const store =
    onEntries === undefined
      ? options.store
      : observedStore(options.store, logger, (id, entries) => inAgentContext(() => onEntries(id, entries)));
  const pool = createSessionPool({ store, clock, makeLive });
  const readAgain = createRereader({
    clock,
    isClosed: () => closed,
    read: (id) => inAgentContext(() => pool.open(id)),
  });
  const remover = createSessionRemover({ deps, store, pool, find, readAgain });
  const stopSweeping = sweepHourly({
    store,
    clock,
    logger,
    days: () => settings.retentionDays,
    removeExpired: (id, before) => inAgentContext(() => remover.removeExpired(id, before)),
  });

  function makeLive(state: SessionState): LiveSession {
    // Another agent may have the store by now.
    checkOpen();
    const live: LiveSession = createLiveSession({
      memory: {
        journal: createJournal({ store, state, now: () => clock.now() }),
        view: createRequestView(deps.tokens),
        fixedParts: createFixedPartCounter(deps.tokens),
        exactArguments: new Map(),
      },
      store,
      deps,
      slots,
      inAgentContext: (work) => inAgentContext(work),
      onBroken: () => {
        pool.drop(live);
        readAgain(state.id);
      },
      onQuiet: () => pool.rest(state.id),
    });
    return live;
  }

  function refuseSelf(by: string | undefined, what: string): void {
    if (by !== caller.user) return;
    throw new ForbiddenError(`The agent's own user '${by}' cannot ${what}: a person has to`, {
      code: 'self_approval',
    });
  }

  function checkOpen(): void {
    if (closed) throw new AgentError('agent_closed', 'The agent has been stopped', { statusCode: 503 });
  }

  async function find(sessionId: string): Promise<LiveSession> {
    const live = await pool.open(sessionId);
    if (live === undefined) throw new NotFoundError(`There is no session ${sessionId}`);
    return live;
  }

  return {
    get settings() {
      return settings;
    },

    async prompt(input) {
      checkOpen();
      refuseSelf(input.by, 'prompt the agent');
      const text = await deps.redactor.redact(checkMessage(input.message, settings.maxPromptBytes));
      const live =
        input.sessionId === undefined
          ? await startSession(input, { store, pool, clock, newId })
          : await find(input.sessionId);
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
        ...(live.queuedAt === undefined ? {} : { queuedAt: live.queuedAt }),
      };
    },

    list({ status, cursor, limit = 100 } = {}) {
      return store.list({
        limit: Math.min(limit, LONGEST_LIST),
        ...(status === undefined ? {} : { status }),
        ...(cursor === undefined ? {} : { cursor }),
      });
    },

    async watch(sessionId, { afterSeq = 0, signal }) {
      return (await find(sessionId)).watch(afterSeq, signal);
    },

    async cancel(sessionId, by) {
      return { cancelled: await (await find(sessionId)).cancel(by) };
    },

    async approve(input) {
      checkOpen();
      refuseSelf(input.by, 'decide an approval');
      const live = await find(input.sessionId);
      const { sessionId, ...decision } = input;
      const note =
        input.note === undefined ? {} : { note: await deps.redactor.redact(input.note.toWellFormed()) };
      const ask = await live.decide({ ...decision, ...note }).catch(async (error: unknown) => {
        if (!AgentError.isInstance(error) || error.statusCode !== 404) throw error;
        const resolved = await findResolvedAsk(store, sessionId, input.approvalId);
        throw resolved === undefined ? error : alreadyResolved(input.approvalId);
      });
      return { ...input, ...note, callId: ask.callId, tool: ask.tool, decidedAt: clock.now() };
    },

    async alert({ sessionId, level, text }) {
      checkOpen();
      const { journal } = await find(sessionId);
      await journal.append({ kind: 'alert', level, text: await deps.redactor.redact(text.toWellFormed()) });
    },

    async revokeGrant(sessionId, approvalId, by) {
      await (await find(sessionId)).revokeGrant(approvalId, by);
    },

    async delete(sessionId, by) {
      refuseSelf(by, 'delete a session');
      await remover.remove(sessionId);
    },

    setConfig(patch, by) {
      refuseSelf(by, 'change the configuration');
      settings = patchSettings(settings, patch);
      slots.refill();
      logger.info(`Settings changed by ${by ?? 'the host'}: ${Object.keys(patch as object).join(', ')}`);
      return settings;
    },

    recover: () => recoverSessions({ store, find, readAgain, logger }),

    async close() {
      closed = true;
      stopSweeping();
      await pool.loaded();
      await Promise.all(pool.live.map((live) => live.stop()));
      for (const live of pool.live) live.release();
      await Promise.all(options.providers.map((provider) => provider.close()));
    },
  };
}
