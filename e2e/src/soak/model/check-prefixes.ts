import { createAgent, createMemoryStore, stepwise } from '@harperfast/agent-core';
import type { Agent, Entry, SessionStore } from '@harperfast/agent-core';
import { createFakeClock, transcriptFault } from '@harperfast/agent-testkit';
import { Violation } from '../violation.js';
import { AGENT_USER, ExpectedSession } from './expected-session.js';
import type { SessionRecord } from './session-record.js';
import { versionedTools } from './tools.js';
import { turnsOfTheLoop } from '../turns.js';
import type { World } from './world.js';
import { redactor } from './world.js';

/**
 * Lets a new agent find some beginnings of every journal, as after a crash between any two entries: it must recover the
 * session, run nothing again that had started, and answer a new prompt over a transcript that a strict provider takes.
 * Resolves with how many were tried.
 */
export async function checkPrefixes(world: World): Promise<number> {
  let tried = 0;
  for (const record of world.durable.records) {
    for (const share of world.scenario.prefixes) {
      const length = Math.floor(share * record.entries.length);
      try {
        await checkPrefix(record, record.entries.slice(0, length));
      } catch (error) {
        throw new Violation(
          `after entry ${length} of ${record.id}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
      }
      tried++;
    }
  }
  return tried;
}

async function checkPrefix({ created }: SessionRecord, prefix: readonly Entry[]): Promise<void> {
  const before = new ExpectedSession();
  const session = new ExpectedSession();
  for (const entry of prefix) {
    before.add(entry);
    session.add(entry);
  }
  const faults: unknown[] = [];
  const memory = createMemoryStore();
  // Of the header only what the list tells counts here.
  const header = { ...created, status: before.status, seq: prefix.length };
  await memory.create(header);
  if (prefix.length > 0) await memory.append(created.id, 0, prefix, header);
  const store: SessionStore = {
    ...memory,
    async append(id, after, entries, next) {
      await memory.append(id, after, entries, next);
      try {
        for (const entry of entries) session.add(entry);
        session.checkHeader(next);
      } catch (error) {
        faults.push(error);
      }
    },
  };

  const executed: string[] = [];
  const clock = createFakeClock((prefix.at(-1)?.at ?? created.createdAt) + 1);
  const agent = createAgent({
    store,
    gateway: stepwise(async (request) => {
      const fault = transcriptFault(request.messages);
      if (fault !== undefined) faults.push(new Violation(`a provider would refuse the request: ${fault}`));
      return { content: 'done', finishReason: 'stop', usage: { promptTokens: 10, completionTokens: 1 } };
    }),
    providers: [
      versionedTools(
        () => 0,
        ({ effect, context }) => {
          if (effect !== 'read') executed.push(context.callId);
          return { step: 'ok', finished: () => undefined };
        },
        async () => undefined,
      ),
    ],
    caller: { user: AGENT_USER },
    systemPrompt: () => 'You are under test.',
    prices: { price: () => ({ input: 0, output: 0 }) },
    redactor,
    clock,
    settings: { maxTurns: 1_000, maxCostUsd: 1_000_000, allowDestructive: true },
  });
  await agent.recover();
  await settle(agent, created.id, session, clock);
  // The first may inherit the caps of prompts that were accepted and never carried.
  for (let attempt = 1; attempt <= 2 && (attempt === 1 || session.status !== 'completed'); attempt++) {
    await agent.prompt({ sessionId: created.id, message: `prompt after, ${attempt}`, by: 'operator' });
    await settle(agent, created.id, session, clock);
  }
  await agent.close();

  if (faults.length > 0) throw faults[0];
  if (session.status !== 'completed')
    throw new Violation(`the session is ${session.status} after recovery and a new prompt`);
  for (const id of executed) {
    if (before.calls.get(id)?.start !== undefined) throw new Violation(`${id} had started and is executed`);
    if (executed.filter((other) => other === id).length > 1) throw new Violation(`${id} is executed twice`);
  }
}

/** Decides what waits, alternately, until the session is at rest. */
async function settle(
  agent: Agent,
  id: string,
  session: ExpectedSession,
  clock: { advance(ms: number): Promise<void> },
): Promise<void> {
  for (let round = 0; round < 40; round++) {
    await turnsOfTheLoop(15);
    const { status, pending } = session;
    if (status !== 'running' && status !== 'awaiting_approval') return;
    for (const [index, { approvalId }] of pending.entries()) {
      await agent.approve({ sessionId: id, approvalId, approved: index % 2 === 0, by: 'operator' });
    }
    if (pending.length === 0) await clock.advance(31_000);
  }
  throw new Violation(`the session stays ${session.status}`);
}
