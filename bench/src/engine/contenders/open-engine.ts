import { createAgent, stepwise } from '@harperfast/agent-core';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { SessionStore, Status, ToolProvider } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { Contender } from '../contender.js';
import type { Workload } from '../workload.js';
import { callModel, PROMPT, runTool, SYSTEM, TOOL_DESCRIPTION } from '../workload.js';

const input = z.strictObject({ step: z.int(), text: z.string() });

const tools: ToolProvider = {
  name: 'bench',
  tools: () => allTools,
  close: async () => undefined,
};

const allTools = (['note', 'deploy'] as const).map((name) =>
  defineTool({
    name,
    description: TOOL_DESCRIPTION,
    input,
    effect: name === 'note' ? 'read' : 'disruptive',
    execute: async (given) => ({ text: await runTool(given) }),
  }),
);

/** Our engine over a store. Caps are out of the way, so that every turn is a whole turn. */
export function openEngine(store: SessionStore, closeStore: () => Promise<void>): Contender {
  let workload: Workload = { turns: 0, modelMs: 0 };
  const stops = createStops();
  const agent = createAgent({
    store: {
      ...store,
      append: (...given) => store.append(...given).then(() => stops.note(given[0], given[3].status)),
    },
    gateway: stepwise(async ({ messages }) => {
      // One prompt, then a reply and a result a turn.
      const { text, call } = await callModel(workload, (messages.length - 1) / 2);
      return {
        content: text,
        ...(call === undefined ? {} : { toolCalls: [call] }),
        usage: { promptTokens: messages.length * 25, completionTokens: 40 },
      };
    }),
    providers: [tools],
    caller: { user: 'hdb_agent' },
    systemPrompt: () => SYSTEM,
    prices: { price: () => ({ input: 0, output: 0 }) },
    settings: { maxTurns: 1_000_000, maxConcurrentRuns: 1_000, contextWindow: 1_000_000_000 },
  });

  async function runUntil(given: Workload, wanted: Status): Promise<void> {
    workload = given;
    const { sessionId } = await agent.prompt({ message: PROMPT, by: 'admin' });
    await stops.wait(sessionId, wanted);
  }

  return {
    run: (given) => runUntil(given, 'completed'),
    pause: (given) => runUntil(given, 'awaiting_approval'),
    async resume(given) {
      workload = given;
      await agent.recover();
      const [header] = (await agent.list({ status: 'awaiting_approval' })).items;
      const approvalId = header?.pendingApprovals[0]?.approvalId;
      if (header === undefined || approvalId === undefined)
        throw new Error('No session waits for an approval');
      await agent.approve({ sessionId: header.id, approvalId, approved: true, by: 'admin' });
      await stops.wait(header.id, 'completed');
    },
    async close() {
      await agent.close();
      await closeStore();
    },
  };
}

/** Tells when a session's run has stopped, durably. Watching the journal instead would read every entry again. */
function createStops() {
  const waiting = new Map<
    string,
    { readonly stopped: Promise<Status>; readonly stop: (status: Status) => void }
  >();
  const of = (id: string) => {
    const { promise, resolve } = withResolvers<Status>();
    const entry = waiting.get(id) ?? { stopped: promise, stop: resolve };
    waiting.set(id, entry);
    return entry;
  };
  return {
    note(id: string, status: Status): void {
      if (status !== 'running') of(id).stop(status);
    },
    async wait(id: string, wanted: Status): Promise<void> {
      const status = await of(id).stopped;
      waiting.delete(id);
      if (status !== wanted) throw new Error(`The session ${id} ended as '${status}', not as '${wanted}'`);
    },
  };
}

function withResolvers<Value>(): {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
} {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
