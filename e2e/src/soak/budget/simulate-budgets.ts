import { createAgent, defineTool, stepwise } from '@harperfast/agent-core';
import type { ModelReply, ModelRequest, Usage } from '@harperfast/agent-core';
import { createFakeClock } from '@harperfast/agent-testkit';
import { z } from 'zod';
import { createRandom } from '../random.js';
import type { Random } from '../random.js';
import type { ExactPrice } from '../exact-cost.js';
import { turnsOfTheLoop } from '../turns.js';
import { Violation } from '../violation.js';
import { AuditedSession } from './audited-session.js';
import { plainStore } from './plain-store.js';

/** What the sessions of a simulation came to. */
export interface BudgetReport {
  readonly sessions: number;
  readonly calls: number;
  readonly overruns: number;
  /** Runs that the budget ended. */
  readonly refused: number;
  readonly spentMicros: number;
}

const SESSIONS_AT_ONCE = 50;

/**
 * Simulates sessions with random prices, usages, caps and concurrency, fifty at a time on one agent, and audits every
 * model call. Throws a `Violation`, with the seed of its batch, when a cap does not hold.
 */
export async function simulateBudgets(
  options: { readonly sessions: number; readonly seed: number },
  progress: (report: BudgetReport) => void = () => undefined,
): Promise<BudgetReport> {
  let report: BudgetReport = { sessions: 0, calls: 0, overruns: 0, refused: 0, spentMicros: 0 };
  for (let batch = 0; report.sessions < options.sessions; batch++) {
    const seed = options.seed + batch;
    const count = Math.min(SESSIONS_AT_ONCE, options.sessions - report.sessions);
    const audited = await simulateBatch(createRandom(seed), count).catch((error: unknown) => {
      throw new Violation(`batch seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    });
    const sum = (of: (session: AuditedSession) => number): number =>
      audited.reduce((total, session) => total + of(session), 0);
    report = {
      sessions: report.sessions + audited.length,
      calls: report.calls + sum(({ calls }) => calls),
      overruns: report.overruns + sum(({ overruns }) => overruns),
      refused: report.refused + sum(({ refused }) => refused),
      spentMicros: report.spentMicros + sum(({ spent }) => spent),
    };
    progress(report);
  }
  return report;
}

const CAPS = [0, 0.000_001, 0.02, 0.1 + 0.2, 1 / 3, 1, 2.718_281_8, 10, 50] as const;

async function simulateBatch(random: Random, count: number): Promise<readonly AuditedSession[]> {
  const price = randomPrice(random);
  const maxTokens = random.pick([1, 300, 1_000, 16_384]);
  const cap = (): number => randomCap(random, price, maxTokens);
  const honest = random.chance(0.5);
  const honestShare = random.next() * 0.9;
  const sessions = new Map<string, AuditedSession>();
  const running = new Set<string>();
  const waiting = new Map<string, () => void>();
  let violation: unknown;
  let calls = 0;

  const store = plainStore((id, entries, { status }) => {
    try {
      for (const entry of entries) sessionOf(id).add(entry);
    } catch (error) {
      violation ??= error;
    }
    if (status === 'running') running.add(id);
    else {
      running.delete(id);
      waiting.get(id)?.();
    }
  });

  function sessionOf(id: string): AuditedSession {
    const session = sessions.get(id) ?? new AuditedSession(price);
    sessions.set(id, session);
    return session;
  }

  async function generate(request: ModelRequest): Promise<ModelReply> {
    const usage = honest ? honestUsage(request, honestShare, random) : wildUsage(request, random);
    try {
      const capMicros = Math.floor(agent.settings.maxCostUsd * 1_000_000 + 1e-6);
      sessionOf(request.conversationId).start({
        capMicros,
        maxTokens: request.maxTokens,
        usage: reported(usage),
      });
    } catch (error) {
      violation ??= error;
    }
    await turnsOfTheLoop(random.integer(0, 3));
    if (random.chance(0.02)) {
      // An operator changes the cap while calls are under way; in a turn of its own, where no request is half built.
      await turnsOfTheLoop(1);
      agent.setConfig({ maxCostUsd: cap() }, 'operator');
    }
    const goesOn = random.chance(0.8);
    return {
      content: 'so it is',
      ...(goesOn ? { toolCalls: [{ name: 'look', arguments: { at: ++calls } }] } : {}),
      finishReason: goesOn ? 'tool_calls' : random.pick(['stop', 'stop', 'length']),
      ...(usage === undefined ? {} : { usage }),
    };
  }

  const agent = createAgent({
    store,
    gateway: stepwise(generate),
    providers: [{ name: 'soak', tools: () => [look], close: async () => undefined }],
    caller: { user: 'hdb_agent' },
    systemPrompt: () => 'You are simulated.',
    prices: { price: () => price },
    clock: createFakeClock(),
    settings: {
      maxCostUsd: cap(),
      maxTokens,
      maxTurns: random.pick([3, 10, 50]),
      maxConcurrentRuns: random.pick([1, 8, 50]),
    },
  });

  async function play(): Promise<void> {
    let sessionId: string | undefined;
    for (let prompts = random.integer(1, 3); prompts > 0; prompts--) {
      const ofPrompt = random.chance(0.3) ? { maxCostUsd: cap() } : {};
      const known = sessionId === undefined ? {} : { sessionId };
      const receipt = await agent.prompt({ message: 'go on', by: 'operator', ...ofPrompt, ...known });
      sessionId = receipt.sessionId;
      const id = sessionId;
      if (running.has(id)) await new Promise<void>((resolve) => waiting.set(id, resolve));
    }
  }

  await Promise.all(Array.from({ length: count }, play));
  await agent.close();
  if (violation !== undefined) throw violation;
  const all = [...sessions.values()];
  if (honest && all.some(({ overruns }) => overruns > 0))
    throw new Violation('a provider that reported what was to be expected overran its reservation');
  return all;
}

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.strictObject({ at: z.int() }),
  effect: 'read',
  execute: async () => ({ text: 'nothing new' }),
});

/** Any cap, or one that a few full replies meet to the micro-dollar. */
function randomCap(random: Random, { output }: ExactPrice, maxTokens: number): number {
  if (random.chance(0.7)) return random.pick(CAPS);
  const micros = Math.floor(maxTokens * output) * random.integer(1, 5) + random.integer(-1, 1);
  return Math.max(0, micros) / 1_000_000;
}

function randomPrice(random: Random): ExactPrice {
  const amount = (most: number): number =>
    random.chance(0.1)
      ? 0
      : random.chance(0.5)
        ? random.integer(1, most)
        : random.integer(1, most * 1_000) / 1_000;
  const input = random.chance(0.3) ? 0 : amount(15);
  return {
    input,
    output: amount(75),
    ...(random.chance(0.3) ? { cachedInput: random.chance(0.5) ? input / 10 : amount(20) } : {}),
    ...(random.chance(0.3) ? { cacheWriteInput: random.chance(0.5) ? input * 1.25 : amount(20) } : {}),
  };
}

function charactersOf({ system, messages, tools }: ModelRequest): number {
  return (
    system.length +
    JSON.stringify(tools).length +
    messages.reduce((sum, { content }) => sum + content.length, 0)
  );
}

/** The same share of what was sent every time, and no more output than was allowed. */
function honestUsage(request: ModelRequest, share: number, random: Random): Usage | undefined {
  if (random.chance(0.05)) return undefined;
  const promptTokens = 1 + Math.floor((charactersOf(request) / 3) * share);
  const cachedPromptTokens = random.integer(0, promptTokens);
  const cached = random.chance(0.3) ? { cachedPromptTokens } : {};
  const rest = promptTokens - ('cachedPromptTokens' in cached ? cachedPromptTokens : 0);
  const written = random.chance(0.3) ? { cacheWritePromptTokens: random.integer(0, rest) } : {};
  return { promptTokens, completionTokens: random.integer(0, request.maxTokens), ...cached, ...written };
}

/** Anything a provider may report, sense and nonsense. */
function wildUsage(request: ModelRequest, random: Random): Usage | undefined {
  const promptTokens = random.pick([
    0,
    1,
    10,
    1_000,
    1_000_000,
    Number.NaN,
    -5,
    1.5,
    random.integer(0, charactersOf(request)),
  ]);
  const completionTokens = random.pick([
    0,
    1,
    request.maxTokens,
    request.maxTokens + 1,
    2_000_000,
    Number.POSITIVE_INFINITY,
    random.integer(0, request.maxTokens),
  ]);
  if (random.chance(0.1)) return undefined;
  return {
    promptTokens,
    completionTokens,
    ...(random.chance(0.5) ? { cachedPromptTokens: random.pick([0, 1, 500, 2_000_000, Number.NaN]) } : {}),
    ...(random.chance(0.5) ? { cacheWritePromptTokens: random.pick([0, 1, 700, 0.5, -1]) } : {}),
  };
}

/** The part of a report that makes sense, as the contract has it: both counts whole, and something at all. */
function reported(usage: Usage | undefined): Partial<Usage> | undefined {
  if (usage === undefined) return undefined;
  const whole = (value: number | undefined): value is number =>
    value !== undefined && Number.isSafeInteger(value) && value >= 0;
  const { promptTokens, completionTokens, cachedPromptTokens, cacheWritePromptTokens } = usage;
  if (!whole(promptTokens) || !whole(completionTokens)) return undefined;
  const parts = {
    ...(whole(cachedPromptTokens) ? { cachedPromptTokens } : {}),
    ...(whole(cacheWritePromptTokens) ? { cacheWritePromptTokens } : {}),
  };
  const ofCache = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
  return { promptTokens: promptTokens + (ofCache > promptTokens ? ofCache : 0), completionTokens, ...parts };
}
