import type { Entry } from '@harperfast/agent-core';
import { inspect } from 'node:util';
import { Violation } from '../violation.js';
import { describeWorld } from './describe-world.js';
import { checkPrefixes } from './check-prefixes.js';
import { finish } from './finish.js';
import { Player } from './player.js';
import type { Scenario } from './scenario.js';
import { World } from './world.js';

/** What one scenario came to. */
export interface Played {
  readonly processes: number;
  readonly sessions: number;
  readonly entries: number;
  readonly executions: number;
  readonly prefixes: number;
  /** How many entries there were of each kind; results by outcome, ends by reason. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** Plays a scenario to its end; throws a `Violation` that tells what broke, after which commands, with the journals. */
export async function runScenario(scenario: Scenario): Promise<Played> {
  const world = new World(scenario);
  try {
    const player = await Player.start(world);
    for (const command of scenario.commands) {
      await player.play(command);
      world.throwIfViolated();
    }
    await finish(world, player);
    const prefixes = await checkPrefixes(world);
    world.throwIfViolated();
    const { records } = world.durable;
    return {
      processes: player.lives,
      sessions: records.length,
      entries: records.reduce((sum, { entries }) => sum + entries.length, 0),
      executions: records.reduce((sum, { executions }) => sum + executions.length, 0),
      prefixes,
      kinds: countKinds(records.flatMap(({ entries }) => entries)),
    };
  } catch (error) {
    const what = error instanceof Violation ? error.message : inspect(error);
    throw new Violation(`${what}\n${describeWorld(world)}`, { cause: error });
  }
}

function countKinds(entries: readonly Entry[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const entry of entries) {
    const kind =
      entry.kind === 'result'
        ? `result ${entry.outcome}`
        : entry.kind === 'end'
          ? `end ${entry.reason}`
          : entry.kind;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
