import { createAgent, stepwise, unlessAborted } from '@harperfast/agent-core';
import type { Agent, AgentSettings, ModelGateway } from '@harperfast/agent-core';
import { crashingStore, createFakeClock } from '@harperfast/agent-testkit';
import type { FakeClock } from '@harperfast/agent-testkit';
import { isDeepStrictEqual } from 'node:util';
import { Violation } from '../violation.js';
import { AGENT_USER } from './expected-session.js';
import { expectedGate } from './expected-gate.js';
import { faultyStore } from './faulty-store.js';
import type { Scenario } from './scenario.js';
import type { SessionRecord } from './session-record.js';
import type { SoakModel } from './soak-model.js';
import { soakModel } from './soak-model.js';
import type { ToolRun } from './tools.js';
import { versionedTools } from './tools.js';
import type { World } from './world.js';
import { redactor } from './world.js';

/** One life of the agent: from its start to a crash or an orderly end. */
export interface Process {
  readonly agent: Agent;
  readonly clock: FakeClock;
  readonly model: SoakModel;
  readonly alive: boolean;
  /** Ends this life at once; what is durable stays. */
  crash(): Promise<void>;
  /** Changes settings in a moment of its own, so that every entry was written under known ones. */
  configure(patch: unknown): Promise<void>;
  swapTools(version: number): Promise<void>;
}

export function startProcess(
  world: World,
  startAt: number,
  settings: Partial<AgentSettings>,
  version: number,
  life: number,
): Process {
  const { scenario } = world;
  const clock = createFakeClock(startAt);
  const never = { afterAppends: Number.POSITIVE_INFINITY, lastAppend: 'lost' as const };
  const crashing = crashingStore(world.durable.store, scenario.crashes[life] ?? never);
  let alive = true;
  void crashing.crashed.then(() => (alive = false));
  const started = new Set<string>();
  world.tools.push(startAt, version);
  let ids = 0;

  function onExecute({ name, effect, input, context }: ToolRun) {
    const record = world.durable.find(context.sessionId);
    const effectful = effect !== 'read';
    if (effectful && record !== undefined && !started.has(`${context.sessionId} ${context.callId}`)) {
      world.fail(
        new Violation(`${name} (${context.callId}) took effect before its start was known to be durable`),
      );
    }
    // The process is gone, or the session: nothing happens any more.
    if (!alive || record === undefined) return { step: 'gone' as const, finished: () => undefined };
    world.watch(() => checkExecution(record, { name, effect, input, context }));
    const execution = {
      callId: context.callId,
      tool: name,
      effectful,
      finished: 'no' as 'no' | 'ok' | 'failed' | 'denied',
    };
    record.executions.push(execution);
    const step = world.nextToolStep();
    if (name === 'restart' && step === 'ok' && !world.calm)
      void crashing.restart().then(() => (alive = false));
    return { step, finished: (how: 'ok' | 'failed' | 'denied') => void (execution.finished = how) };
  }

  const later = (ms: number): Promise<void> => new Promise((resolve) => void clock.setTimer(ms, resolve));
  const model = soakModel(
    world,
    () => alive,
    () => Math.floor(agent.settings.maxCostUsd * 1_000_000 + 1e-6),
  );
  const agent = createAgent({
    store: faultyStore(
      () => (alive && world.calm ? world.durable.store : crashing.store),
      () => world.nextStoreStep(),
      (id, entries) => {
        for (const entry of entries) if (entry.kind === 'start') started.add(`${id} ${entry.callId}`);
      },
    ),
    gateway: gatewayOf(scenario, model),
    providers: [versionedTools(() => world.tools.current, onExecute, later)],
    caller: { user: AGENT_USER },
    systemPrompt: () => 'You are under test.',
    prices: { price: () => scenario.price },
    tokens: { count: (text) => Math.ceil(text.length / 4) },
    redactor,
    clock,
    newId: (prefix) => `${prefix}_${life}_${++ids}`,
    settings: { maxResultBytes: 1_024, maxTokens: 1_000, ...settings },
  });
  world.settings.push(startAt, agent.settings);

  function checkExecution(record: SessionRecord, { name, effect, input, context }: ToolRun): void {
    const { callId } = context;
    const seen = record.expected.calls.get(callId);
    if (seen === undefined) throw new Violation(`${name} (${callId}) runs before its round is durable`);
    if (seen.result !== undefined) throw new Violation(`${name} (${callId}) runs after its result`);
    if (seen.call.name !== name) throw new Violation(`${callId} is ${seen.call.name} and ${name} runs`);
    if (!isDeepStrictEqual(input, record.rawArguments.get(callId))) {
      throw new Violation(
        `${name} (${callId}) runs with ${JSON.stringify(input)}, not with ${JSON.stringify(record.rawArguments.get(callId))}`,
      );
    }
    if (effect === 'read') {
      const verdict = expectedGate(name, effect, agent.settings);
      if (verdict === 'never' || (verdict === 'decision' && seen.ask === undefined))
        throw new Violation(`the read ${name} (${callId}) runs and may not`);
      return;
    }
    // What ran as a read may run again, even where the tool is another one by then.
    const before = record.executionsOf(callId).filter((execution) => execution.effectful).length;
    if (before > 0) throw new Violation(`${name} (${callId}) takes effect ${before + 1} times`);
  }

  return {
    agent,
    clock,
    model,
    get alive() {
      return alive;
    },
    async crash() {
      await crashing.restart();
      alive = false;
    },
    async configure(patch) {
      await clock.advance(1);
      agent.setConfig(patch, 'operator');
      world.settings.push(clock.now(), agent.settings);
    },
    async swapTools(next) {
      await clock.advance(1);
      world.tools.push(clock.now(), next);
    },
  };

  function gatewayOf({ gateway }: Scenario, { generate }: SoakModel): ModelGateway {
    return gateway === 'stepwise' ? stepwise(generate) : oddGateway(gateway === 'one_round', generate);
  }
}

/** Loops that hosts may have: calls one after the other, and back after one round although there is more to do. */
function oddGateway(oneRound: boolean, generate: SoakModel['generate']): ModelGateway {
  return {
    name: 'odd',
    async run(rounds) {
      do {
        const request = await rounds.request();
        const reply = await unlessAborted(generate(request, rounds.signal), rounds.signal);
        const calls = await rounds.record(reply);
        if (calls.length === 0) return;
        for (const call of calls) await rounds.callTool(call);
      } while (!oneRound);
    },
  };
}
