import { onTestFinished } from 'vitest';
import { createAgent, createMemoryStore } from '@harperfast/agent-core';
import type { Agent, AgentOptions, Entry, SessionStore } from '@harperfast/agent-core';
import type { FollowupStore } from '@harperfast/agent-core/contracts';
import { createFakeClock, scriptByPrompt, ScriptedModel, scriptedGateway } from '@harperfast/agent-testkit';
import type { FakeClock, Scenario } from '@harperfast/agent-testkit';
import { createMemoryFollowupStore, deliveryText, scheduleTools } from '../../src/index.js';
import type { ScheduleLimits, ScheduleTools } from '../../src/index.js';

export interface AgentSetup {
  readonly scenarios: readonly Scenario[];
  readonly clock?: FakeClock;
  readonly sessions?: SessionStore;
  readonly store?: FollowupStore;
  readonly settings?: AgentOptions['settings'];
  readonly prices?: AgentOptions['prices'];
  readonly limits?: Partial<ScheduleLimits>;
}

export interface OpenedAgent {
  readonly agent: Agent;
  readonly provider: ScheduleTools;
  readonly clock: FakeClock;
  readonly sessions: SessionStore;
  readonly store: FollowupStore;
  /** Recovers the sessions, then brings the followups to life, as a host does. */
  start(): Promise<void>;
  entries(sessionId: string): Promise<readonly Entry[]>;
  /** The message ids of the followups a session has taken. */
  taken(sessionId: string): Promise<readonly string[]>;
}

/** The pack in a real engine, wired as the README shows, over stores that outlive it. Not started yet. */
export function openAgent(setup: AgentSetup): OpenedAgent {
  const clock = setup.clock ?? createFakeClock();
  const sessions = setup.sessions ?? createMemoryStore();
  const store = setup.store ?? createMemoryFollowupStore();
  const provider: ScheduleTools = scheduleTools({
    store,
    clock,
    ...(setup.limits === undefined ? {} : { limits: setup.limits }),
    alert: (alert) => agent.alert(alert),
    async deliver(delivery) {
      await agent.prompt({
        sessionId: delivery.sessionId,
        message: deliveryText(delivery, clock.now()),
        messageId: delivery.deliveryId,
        source: 'followup',
        by: 'followup',
      });
    },
  });
  const agent: Agent = createAgent({
    store: sessions,
    gateway: scriptedGateway(new ScriptedModel(scriptByPrompt(setup.scenarios))),
    providers: [provider],
    caller: { user: 'hdb_agent' },
    systemPrompt: () => 'You are a test.',
    prices: setup.prices ?? { price: () => ({ input: 0, output: 0 }) },
    ...(setup.settings === undefined ? {} : { settings: setup.settings }),
    clock,
    onEntries: (sessionId, entries) => provider.observe(sessionId, entries),
  });
  onTestFinished(() => agent.close());
  const entries = (sessionId: string) => sessions.read(sessionId, { after: 0, limit: 10_000 });
  return {
    agent,
    provider,
    clock,
    sessions,
    store,
    async start() {
      await agent.recover();
      await provider.start();
    },
    entries,
    async taken(sessionId) {
      const all = await entries(sessionId);
      return all.flatMap((entry) =>
        entry.kind === 'prompt' && entry.source === 'followup' ? [entry.messageId] : [],
      );
    },
  };
}
