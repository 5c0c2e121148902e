import { createFakeClock, scriptedGateway, ScriptedModel } from '@harperfast/agent-testkit';
import type { FakeClock, ScriptStep, StepFunction } from '@harperfast/agent-testkit';
import { z } from 'zod';
import { createAgent, createMemoryStore, defineTool } from '../../src/index.js';
import type {
  Agent,
  AgentOptions,
  AgentSessionView,
  Effect,
  SessionStore,
  Tool,
  ToolContext,
  ToolProvider,
} from '../../src/index.js';

export interface Fixture {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly clock: FakeClock;
  readonly store: SessionStore;
  /** Resolves with the session once it is neither running nor being written. */
  readonly quiet: (sessionId: string) => Promise<AgentSessionView>;
  /** Resolves once the check holds; fails after many turns of the event loop. */
  readonly until: (
    sessionId: string,
    holds: (view: AgentSessionView) => boolean,
  ) => Promise<AgentSessionView>;
}

/** An agent on a scripted model, a memory store and a fake clock. */
export function createFixture(
  script: readonly ScriptStep[] | StepFunction,
  options: Partial<AgentOptions> & { readonly tools?: readonly Tool[] } = {},
): Fixture {
  const { tools, ...rest } = options;
  const model = new ScriptedModel(script);
  const clock = createFakeClock();
  const store = options.store ?? createMemoryStore();
  let ids = 0;
  const agent = createAgent({
    store,
    gateway: scriptedGateway(model),
    providers: tools === undefined ? [] : [providerOf(tools)],
    caller: { user: 'hdb_agent' },
    systemPrompt: () => 'You are a test.',
    prices: { price: () => ({ input: 1, output: 10 }) },
    clock,
    newId: (prefix) => `${prefix}_${++ids}`,
    ...rest,
  });

  async function until(
    sessionId: string,
    holds: (view: AgentSessionView) => boolean,
  ): Promise<AgentSessionView> {
    for (let turn = 0; turn < 5000; turn++) {
      const view = await agent.get(sessionId);
      if (holds(view)) return view;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const view = await agent.get(sessionId);
    throw new Error(`The session did not get there; it is ${view.header.status} at entry ${view.header.seq}`);
  }

  return {
    agent,
    model,
    clock,
    store,
    until,
    quiet: (sessionId) => until(sessionId, ({ header }) => header.status !== 'running'),
  };
}

export function providerOf(tools: readonly Tool[], name = 'test-tools'): ToolProvider {
  return { name, tools: () => tools, close: async () => undefined };
}

/** A tool that takes `{ value?: string }`, remembers what it was called with, and answers what `work` says. */
export function recordingTool(
  name: string,
  effect: Effect,
  work: (value: string, context: ToolContext) => string | Promise<string> = (value) => `${name} got ${value}`,
): { readonly tool: Tool; readonly seen: readonly string[] } {
  const seen: string[] = [];
  const tool = defineTool({
    name,
    description: `The test tool ${name}.`,
    input: z.strictObject({ value: z.string().default('') }),
    effect,
    async execute({ value }, context) {
      seen.push(value);
      return { text: await work(value, context) };
    },
  });
  return { tool, seen };
}

/** The kinds of a session's entries, in order: a journal at a glance. */
export function kindsOf(view: AgentSessionView): readonly string[] {
  return view.entries.map((entry) => (entry.kind === 'result' ? `result:${entry.outcome}` : entry.kind));
}

/** What a tool returned, out of the delimiters in which the model reads it. */
export function undelimited(content: string | undefined): string {
  const found = /^<(output-[0-9a-f]{12})>\n([^]*)\n<\/\1>([^]*)$/.exec(content ?? '');
  if (found === null) throw new Error(`Not delimited: ${content}`);
  return `${found[2]}${found[3]}`;
}
