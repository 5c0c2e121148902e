import { AgentError } from '@harperfast/agent-core';
import { Violation } from '../violation.js';
import type { Player } from './player.js';
import { SLOTS } from './scenario.js';
import type { SessionRecord } from './session-record.js';
import { turnsOfTheLoop } from '../turns.js';
import type { World } from './world.js';

const GENEROUS = { maxTurns: 100, maxCostUsd: 100_000, maxConcurrentRuns: 8, toolTimeoutMs: 120_000 };

/**
 * The end of a play: nothing fails any more, everything that hangs answers, what waits is decided. Every session must
 * come to rest by itself, take one more prompt, answer it, and have kept every prompt that was accepted.
 */
export async function finish(world: World, player: Player): Promise<void> {
  world.trace.push('-- nothing fails any more --');
  world.calm = true;
  await player.play({ kind: 'configure', patch: GENEROUS, turns: 5 });
  const there = (): readonly SessionRecord[] => world.durable.records.filter(({ deleted }) => !deleted);
  await settle(world, player, there);
  for (let slot = 0; slot < SLOTS; slot++) {
    const record = player.sessionOf(slot);
    if (record === undefined) continue;
    // The first may meet the caps of prompts that were accepted before and never carried.
    for (let attempt = 1; attempt <= 2; attempt++) {
      await answered(
        world,
        player,
        player.prompt({ slot, withId: false, twice: false, again: false, byAgent: false }),
      );
      await settle(world, player, there);
      if (record.expected.status === 'completed') break;
    }
    if (record.expected.status !== 'completed')
      throw new Violation(`${record.id} is ${record.expected.status} after a prompt that nothing disturbed`);
  }
  for (const record of there()) {
    const known = new Set(record.expected.prompts.map(({ messageId }) => messageId));
    for (const messageId of record.accepted)
      if (!known.has(messageId)) throw new Violation(`the accepted prompt ${messageId} is lost`);
  }
  for (const watched of player.watched) watched.checkComplete();
  await player.close();
  world.throwIfViolated();
}

/** Lets time pass and decides what waits until no session is at work; throws when one never comes to rest. */
async function settle(world: World, player: Player, there: () => readonly SessionRecord[]): Promise<void> {
  for (let round = 0; round < 60; round++) {
    player.process.model.release();
    await turnsOfTheLoop(30);
    world.throwIfViolated();
    const busy = there().filter(
      ({ expected }) => expected.status === 'running' || expected.status === 'awaiting_approval',
    );
    if (busy.length === 0) return;
    for (const [index, record] of busy.entries()) {
      for (const ask of record.expected.pending) {
        const decision = {
          sessionId: record.id,
          approvalId: ask.approvalId,
          approved: (round + index) % 3 !== 0,
          by: 'operator',
        };
        // A cancel that still waits for a tool has voided it already; a session that met a fault is still to be read anew.
        await answered(world, player, player.process.agent.approve(decision), /already_resolved|as injected/);
      }
    }
    await player.process.clock.advance(31_000);
  }
  const stuck = there().filter(
    ({ expected }) => expected.status === 'running' || expected.status === 'awaiting_approval',
  );
  throw new Violation(
    `${stuck.map(({ id, expected }) => `${id} stays ${expected.status}`).join(', ')} although nothing hangs or fails`,
  );
}

/** Work that must succeed now. */
async function answered(
  world: World,
  player: Player,
  work: Promise<unknown>,
  allowed?: RegExp,
): Promise<void> {
  let settled: { readonly error?: unknown } | undefined;
  void work.then(
    () => (settled = {}),
    (error: unknown) => (settled = { error }),
  );
  for (let round = 0; round < 40 && settled === undefined; round++) {
    await turnsOfTheLoop(5);
    await player.process.clock.advance(1);
  }
  if (settled === undefined) throw new Violation('an operation has no answer although nothing hangs');
  const { error } = settled;
  const asAllowed = allowed?.test(AgentError.isInstance(error) ? error.code : String(error)) ?? false;
  if ('error' in settled && !asAllowed) {
    throw new Violation(`an operation failed although nothing fails: ${String(error)}`);
  }
  world.throwIfViolated();
}
