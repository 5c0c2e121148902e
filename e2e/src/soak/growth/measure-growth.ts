import { createAgent, defineTool, stepwise } from '@harperfast/agent-core';
import type { SessionHeader } from '@harperfast/agent-core';
import { createFakeClock } from '@harperfast/agent-testkit';
import { z } from 'zod';
import { plainStore } from '../budget/plain-store.js';

/** What a session of so many turns has written. */
export interface Written {
  readonly turns: number;
  readonly bytes: number;
  readonly appends: number;
  /** Entries read from the store, again and again as often as they were. */
  readonly entriesRead: number;
}

/**
 * Runs one session of `turns` turns, each a prompt, a write, a read and an answer, and tells what it had written after
 * each of `at` turns. Counts, not times: the same on every machine.
 */
export async function measureGrowth(at: readonly number[]): Promise<readonly Written[]> {
  let bytes = 0;
  let appends = 0;
  let entriesRead = 0;
  const last: { status: SessionHeader['status'] } = { status: 'idle' };
  let atRest = (): void => undefined;
  const store = plainStore((_id, entries, header) => {
    appends++;
    bytes += Buffer.byteLength(JSON.stringify(entries)) + Buffer.byteLength(JSON.stringify(header));
    last.status = header.status;
    if (last.status !== 'running') atRest();
  });
  const counting = {
    ...store,
    async load(id: string) {
      const stored = await store.load(id);
      entriesRead += stored?.entries.length ?? 0;
      return stored;
    },
    async read(id: string, range: { readonly after: number; readonly limit: number }) {
      const page = await store.read(id, range);
      entriesRead += page.length;
      return page;
    },
  };
  let calls = 0;
  const agent = createAgent({
    store: counting,
    gateway: stepwise(async ({ messages }) => {
      const usage = { promptTokens: 100, completionTokens: 20 };
      if (messages.at(-1)?.role !== 'user') return { content: 'done', finishReason: 'stop', usage };
      const toolCalls = ['save', 'look'].map((name) => ({
        name,
        arguments: { at: String(++calls).padStart(6, '0') },
      }));
      return { content: '', finishReason: 'tool_calls', usage, toolCalls };
    }),
    providers: [{ name: 'soak', tools: () => tools, close: async () => undefined }],
    caller: { user: 'hdb_agent' },
    systemPrompt: () => 'You are measured.',
    prices: { price: () => ({ input: 0, output: 0 }) },
    clock: createFakeClock(),
    // Compaction is another matter: it is bounded by its threshold.
    tokens: { count: () => 0 },
  });
  const { sessionId } = await agent.prompt({ message: 'turn 000000', by: 'operator' });
  const written: Written[] = [];
  for (let turn = 1; turn <= Math.max(...at); turn++) {
    if (last.status === 'running') await new Promise<void>((resolve) => (atRest = resolve));
    if (at.includes(turn)) written.push({ turns: turn, bytes, appends, entriesRead });
    await agent.prompt({ sessionId, message: `turn ${String(turn).padStart(6, '0')}`, by: 'operator' });
  }
  await agent.close();
  return written;
}

const tools = (['save', 'look'] as const).map((name) =>
  defineTool({
    name,
    description: 'Does something small.',
    input: z.strictObject({ at: z.string() }),
    effect: name === 'save' ? 'write' : 'read',
    execute: async ({ at }) => ({ text: `${name} ${at}` }),
  }),
);

/** How a quantity grows with another between two measurements: 1 is linear, 2 quadratic. */
export function growthExponent(
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): number {
  return Math.log(to[1] / from[1]) / Math.log(to[0] / from[0]);
}
