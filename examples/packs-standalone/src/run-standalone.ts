import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import type { Agent, AgentOptions, Entry } from '@harperfast/agent-core';
import { createAgent, createMemoryStore, stepwise, systemClock } from '@harperfast/agent-core';
import { fsTools, openFileChangeLog } from '@harperfast/agent-tools-fs';
import { httpTools } from '@harperfast/agent-tools-http';
import { inspectorTools } from '@harperfast/agent-tools-inspector';
import { createMemoryFollowupStore, deliveryText, scheduleTools } from '@harperfast/agent-tools-schedule';
import { scriptedReplies } from './script.js';
import type { Shop } from './start-shop.js';
import { startShop } from './start-shop.js';

const DEADLINE_MS = 20_000;

/** The whole story; resolves with one line a step, and rejects where something is not as it should be. */
export async function runStandalone(): Promise<readonly string[]> {
  const shop = await startShop();
  const agent = createShopAgent(shop);
  try {
    await agent.recover();
    const { sessionId } = await agent.prompt({ message: 'Why is the total wrong?', by: 'ann' });
    return await check(await journalToTheSecondEnd(agent, sessionId), shop);
  } finally {
    await agent.close();
    await shop.close();
  }
}

function createShopAgent(shop: Shop): Agent {
  const followups = scheduleTools({
    store: createMemoryFollowupStore(),
    clock: systemClock,
    limits: { minDelayMs: 1000 },
    alert: (alert) => agent.alert(alert),
    async deliver(delivery) {
      await agent.prompt({
        sessionId: delivery.sessionId,
        message: deliveryText(delivery, systemClock.now()),
        messageId: delivery.deliveryId,
        source: 'followup',
        by: 'followup',
      });
    },
  });
  const options: AgentOptions = {
    store: createMemoryStore(),
    gateway: stepwise(scriptedReplies()),
    providers: [
      followups,
      fsTools({
        roots: { shop: { path: shop.app, mode: 'rw' } },
        changeLog: openFileChangeLog({ folder: shop.changes }),
      }),
      httpTools({ self: { app: { host: '127.0.0.1', port: shop.port } } }),
      inspectorTools({ workers: () => [{ index: 0, threadId: shop.threadId }], root: shop.app }),
    ],
    caller: { user: 'shop-agent' },
    systemPrompt: () => 'You look after a small shop.',
    prices: { price: () => ({ input: 0, output: 0 }) },
    onEntries: (sessionId, entries) => followups.observe(sessionId, entries),
  };
  const agent = createAgent(options);
  return agent;
}

/** The run of the prompt and the run of its followup, as the journal holds them. */
async function journalToTheSecondEnd(agent: Agent, sessionId: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const signal = AbortSignal.timeout(DEADLINE_MS);
  for await (const entry of await agent.watch(sessionId, { signal })) {
    entries.push(entry);
    if (entries.filter(({ kind }) => kind === 'end').length === 2) return entries;
  }
  throw new Error(`No second run within ${DEADLINE_MS} ms: ${JSON.stringify(entries.at(-1))}`);
}

async function check(entries: readonly Entry[], shop: Shop): Promise<readonly string[]> {
  const names = entries
    .flatMap((entry) => (entry.kind === 'round' ? entry.calls : []))
    .map(({ name }) => name);
  const results = entries.filter((entry) => entry.kind === 'result');
  const expected = [
    /NaN/,
    /count.*2/s,
    /bound at .*server\.mjs:7/,
    /NaN/,
    /order = \{ price: 3, count: 2 \}[^]*sum = 0/,
    /cuont/,
    /finding\.md/,
    /Scheduled/,
    /NaN/,
    /alerted/,
    /1 done|done at/,
  ];
  for (const [index, pattern] of expected.entries()) {
    const { outcome, text } = results[index] ?? { outcome: 'missing', text: '' };
    assert.equal(outcome, 'ok', `${names[index]}: ${text}`);
    assert.match(text, pattern, `${names[index]} answered something else`);
  }
  assert.match(await readFile(join(shop.app, 'finding.md'), 'utf8'), /order\.cuont/);
  const prompts = entries.filter((entry) => entry.kind === 'prompt').map(({ source }) => source);
  assert.deepEqual(prompts, ['operator', 'followup']);
  assert.equal(entries.filter(({ kind }) => kind === 'alert').length, 1);
  return names.map((name, index) => `${name}: ${firstLine(results[index]?.text ?? '')}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 100) ?? '';
}
