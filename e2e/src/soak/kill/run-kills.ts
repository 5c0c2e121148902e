import { readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from '../../support/poll-until.js';
import { AgentApi } from '../../support/agent-api.js';
import type { StartHost } from '../../support/start-agent-host.js';
import type { SessionAnswer } from '../../support/session-answer.js';
import type { Random } from '../random.js';
import { createRandom } from '../random.js';
import { Violation } from '../violation.js';
import { checkEffects } from './check-effects.js';
import type { ProbedHost } from './start-probed-host.js';
import { startProbedHost } from './start-probed-host.js';

/** What was killed and what came of it. */
export interface KillReport {
  readonly kills: number;
  readonly sessions: number;
  readonly prompts: number;
  readonly effects: number;
  /** Appends that were under way when the process ended, so that nobody can know. */
  readonly unknown: number;
}

/** A session as it was last seen, and the prompts it accepted. */
interface Known {
  readonly id: string;
  readonly accepted: string[];
  seen: SessionAnswer['entries'];
}

const SESSIONS = 3;
const LONGEST_WORK_MS = 1_000;
/** Roughly. */
const BYTES_A_LINE = 9;
/** A session is replaced by a new one after this many kills: its whole journal is read every time. */
const KILLS_A_SESSION = 6;

/**
 * Kills a host again and again at random instants while its agent appends to a file, and checks after every start that
 * nothing was done twice and nothing accepted is lost. Throws a `Violation` with the number of the kill otherwise.
 */
export async function runKills(
  options: { readonly times: number; readonly seed: number; readonly start?: StartHost },
  progress: (report: KillReport) => void = () => undefined,
): Promise<KillReport> {
  const random = createRandom(options.seed);
  const probed = await startProbedHost(options.start);
  const soak = new KillSoak(probed, random);
  try {
    let report = soak.report(0);
    for (let kill = 1; kill <= options.times; kill++) {
      try {
        await soak.once(kill);
      } catch (error) {
        throw new Violation(
          `kill ${kill} (seed ${options.seed}): ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
      }
      report = soak.report(kill);
      progress(report);
    }
    return report;
  } finally {
    await probed.host.stop();
    await rm(dirname(probed.file), { recursive: true, force: true });
  }
}

class KillSoak {
  readonly #probed: ProbedHost;
  readonly #api: AgentApi;
  readonly #random: Random;
  #sessions: Known[] = [];
  #retired = { sessions: 0, prompts: 0, effects: 0, unknown: 0 };
  #now = { effects: 0, unknown: 0 };
  #prompts = 0;
  readonly #settledLines = new Set<string>();

  constructor(probed: ProbedHost, random: Random) {
    this.#probed = probed;
    this.#api = new AgentApi(probed.host);
    this.#random = random;
  }

  report(kills: number): KillReport {
    const prompts = this.#sessions.reduce((sum, { accepted }) => sum + accepted.length, 0);
    return {
      kills,
      sessions: this.#retired.sessions + this.#sessions.length,
      prompts: this.#retired.prompts + prompts,
      effects: this.#retired.effects + this.#now.effects,
      unknown: this.#retired.unknown + this.#now.unknown,
    };
  }

  /** Sets the agent to work, kills it somewhere in the middle, starts it and looks. */
  async once(kill: number): Promise<void> {
    const random = this.#random;
    if (kill % KILLS_A_SESSION === 1) this.#retire();
    await this.#api.call('set_agent_config', {
      approvals: random.chance(0.4) ? { create_database: 'ask' } : {},
    });
    const busy = Promise.allSettled(Array.from({ length: SESSIONS }, (_, slot) => this.#work(slot)));
    await this.#someEffects(random.integer(0, 6));
    await delay(random.integer(0, 30));
    await this.#probed.host.kill();
    await busy;
    await this.#probed.host.start();
    await this.#check('after the start');
    // What the operator approved runs now, what was cut off does not, and every session takes the next prompt.
    for (const known of this.#sessions) await this.#finish(known);
    await this.#check('after the next prompt');
  }

  /** Waits until the file has so many lines more, however slow the machine is; not for ever, for calls may wait for a decision. */
  async #someEffects(count: number): Promise<void> {
    const size = async (): Promise<number> =>
      (await stat(this.#probed.file).catch(() => undefined))?.size ?? 0;
    const enough = (await size()) + count * BYTES_A_LINE;
    const end = Date.now() + LONGEST_WORK_MS;
    while (Date.now() < end && (await size()) < enough) await delay(2);
  }

  async #work(slot: number): Promise<void> {
    const random = this.#random;
    for (let prompts = random.integer(1, 2); prompts > 0; prompts--) {
      const known = this.#sessions[slot];
      const message = `append p${++this.#prompts} ${random.integer(1, 4)}`;
      const receipt = await this.#api.prompt(message, known === undefined ? {} : { session_id: known.id });
      const session = known ?? { id: receipt.session_id, accepted: [], seen: [] };
      this.#sessions[slot] = session;
      session.accepted.push(message);
      const waiting = await this.#api.until(session.id, ({ status }) => status !== 'running');
      session.seen = waiting.entries;
      if (waiting.status === 'awaiting_approval') await this.#decide(waiting);
      session.seen = (await this.#api.session(session.id)).entries;
    }
  }

  async #decide(session: SessionAnswer): Promise<void> {
    for (const { id } of session.pendingApprovals) {
      const approved = this.#random.chance(0.8);
      await this.#api.approve(session.session_id, id, { approved });
    }
  }

  async #finish(known: Known): Promise<void> {
    for (;;) {
      const session = await this.#api.until(known.id, ({ status }) => status !== 'running');
      if (session.status !== 'awaiting_approval') break;
      await this.#decide(session);
    }
    await this.#api.prompt('hello', { session_id: known.id });
    for (;;) {
      const session = await this.#api.until(known.id, ({ status }) => status !== 'running');
      known.seen = session.entries;
      if (session.status === 'completed') return;
      if (session.status !== 'awaiting_approval')
        throw new Violation(
          `${known.id} is ${session.status} after a prompt: ${JSON.stringify(session.lastError)}`,
        );
      await this.#decide(session);
    }
  }

  async #check(when: string): Promise<void> {
    // What was approved runs right after the start: nothing may move while file and journals are read.
    await pollUntil(
      () => this.#api.list({ status: 'running' }),
      ({ sessions }) => sessions.length === 0,
    );
    const lines = new Map<string, number>();
    for (const line of (await readFile(this.#probed.file, 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean))
      lines.set(line, (lines.get(line) ?? 0) + 1);
    const unclaimed = new Set([...lines.keys()].filter((name) => !this.#settledLines.has(name)));
    this.#now = { effects: 0, unknown: 0 };
    for (const known of this.#sessions) {
      const session = await this.#api.session(known.id);
      const before = known.seen;
      if (!isDeepStrictEqual(session.entries.slice(0, before.length), before))
        throw new Violation(`${when}: ${known.id} has not kept its entries`);
      for (const message of known.accepted) {
        const told = session.messages.filter(
          ({ role, content }) => role === 'user' && content === message,
        ).length;
        if (told !== 1)
          throw new Violation(`${when}: ${known.id} has the accepted prompt '${message}' ${told} times`);
      }
      const counts = checkEffects(session, lines, unclaimed);
      this.#now = { effects: this.#now.effects + counts.done, unknown: this.#now.unknown + counts.unknown };
    }
    // A session whose very first prompt was cut off before it was answered is nobody's, but it is there.
    if (unclaimed.size > 0) {
      for (const { session_id } of (await this.#api.list({ limit: 1000 })).sessions) {
        checkEffects(await this.#api.session(session_id), lines, unclaimed);
      }
    }
    if (unclaimed.size > 0)
      throw new Violation(`${when}: ${[...unclaimed].join(', ')} took effect and no journal knows of it`);
    this.#lines = lines;
  }

  #lines: ReadonlyMap<string, number> = new Map();

  #retire(): void {
    for (const name of this.#lines.keys()) this.#settledLines.add(name);
    this.#retired = {
      sessions: this.#retired.sessions + this.#sessions.length,
      prompts: this.#retired.prompts + this.#sessions.reduce((sum, { accepted }) => sum + accepted.length, 0),
      effects: this.#retired.effects + this.#now.effects,
      unknown: this.#retired.unknown + this.#now.unknown,
    };
    this.#now = { effects: 0, unknown: 0 };
    this.#sessions = [];
  }
}
