import { AgentError } from '@harperfast/agent-core';
import type { AgentSettings, SessionHeader } from '@harperfast/agent-core';
import { isDeepStrictEqual } from 'node:util';
import { Violation } from '../violation.js';
import { AGENT_USER } from './expected-session.js';
import type { Process } from './process.js';
import { startProcess } from './process.js';
import type { Command } from './scenario.js';
import type { SessionRecord } from './session-record.js';
import { turnsOfTheLoop } from '../turns.js';
import { WatchedSession } from './watched-session.js';
import type { World } from './world.js';

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

const START = Date.UTC(2030, 0, 1);

/** Carries out commands, against one process after the other, and holds every answer against what is durable. */
export class Player {
  readonly #world: World;
  #process: Process;
  #watched: WatchedSession[] = [];
  #closing: Process['agent'] | undefined;
  #prompts = 0;
  #lastMessageIds = new Map<number, string>();
  lives = 1;

  private constructor(world: World, process: Process) {
    this.#world = world;
    this.#process = process;
  }

  static async start(world: World): Promise<Player> {
    const player = new Player(world, startProcess(world, START, world.scenario.patch, 0, 0));
    await player.#recover();
    return player;
  }

  get process(): Process {
    return this.#process;
  }

  get watched(): readonly WatchedSession[] {
    return this.#watched;
  }

  /** The newest session of a slot that is still there. */
  sessionOf(slot: number): SessionRecord | undefined {
    return this.#world.durable.records.findLast(
      (record) => record.created.user === `operator-${slot}` && !record.deleted,
    );
  }

  async play(command: Command): Promise<void> {
    if (!this.#process.alive) await this.#nextLife(command.kind);
    const { kind, turns, ...rest } = command;
    this.#world.trace.push(`${kind} ${JSON.stringify(rest)}${turns > 0 ? `, ${turns} turns` : ''}`);
    await this.#carryOut(command);
    await turnsOfTheLoop(turns);
    if (!this.#process.alive) await this.#nextLife(undefined);
  }

  /** Sends a prompt; `answered` resolves once it is settled. */
  prompt(command: Omit<Of<'prompt'>, 'kind' | 'turns'>): Promise<unknown> {
    const { slot, withId, twice, again, byAgent, maxTurns, maxCostUsd } = command;
    const { agent } = this.#process;
    const record = this.sessionOf(slot);
    const before = again ? this.#lastMessageIds.get(slot) : undefined;
    const number = ++this.#prompts;
    const messageId = before ?? (withId || twice ? `message-${number}` : undefined);
    if (messageId !== undefined) this.#lastMessageIds.set(slot, messageId);
    const input = {
      message: `prompt ${number}`,
      by: byAgent ? AGENT_USER : `operator-${slot}`,
      ...(record === undefined ? {} : { sessionId: record.id }),
      ...(messageId === undefined ? {} : { messageId }),
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    };
    const send = (): Promise<unknown> =>
      this.#answers(`prompt ${number}`, agent.prompt(input), (receipt) => {
        if (byAgent) throw new Violation('the agent prompted itself');
        const found = this.#world.durable.find(receipt.sessionId);
        if (found === undefined) return;
        const told = found.expected.prompts.filter((prompt) => prompt.messageId === receipt.messageId);
        if (told.length !== 1)
          throw new Violation(`prompt ${number} was accepted and is there ${told.length} times`);
        found.accepted.add(receipt.messageId);
      });
    return Promise.all([send(), ...(twice ? [send()] : [])]);
  }

  async #carryOut(command: Command): Promise<void> {
    switch (command.kind) {
      case 'prompt':
        return void this.prompt(command);
      case 'decide':
        return this.#decide(command);
      case 'revoke':
        return this.#revoke(command);
      case 'cancel':
        return this.#cancel(command);
      case 'delete':
        return this.#delete(command);
      case 'look':
        return this.#look(command);
      case 'watch':
        return this.#watch(command);
      case 'configure':
        return this.#process.configure(command.patch);
      case 'swap_tools':
        return this.#process.swapTools(command.version);
      case 'advance':
        return this.#process.clock.advance(command.ms);
      case 'crash':
        return this.#process.crash();
      case 'reopen':
        return this.#reopen();
    }
  }

  #decide({ slot, which, approved, remember, twice, late, byAgent }: Of<'decide'>): void {
    const record = this.sessionOf(slot);
    if (record === undefined) return;
    const settled = [...record.expected.calls.values()].flatMap(({ ask, decision, result }) =>
      ask && (decision || result) ? [ask] : [],
    );
    const choice = late ? settled : record.expected.pending;
    const ask = choice[which % Math.max(1, choice.length)];
    if (ask === undefined) return;
    const before = record.expected.calls.get(ask.callId)?.decision;
    const { agent } = this.#process;
    const decide = (): void =>
      void this.#answers(
        `decision on ${ask.approvalId}`,
        agent.approve({
          sessionId: record.id,
          approvalId: ask.approvalId,
          approved,
          by: byAgent ? AGENT_USER : 'operator',
          note: 'as noted',
          ...(remember ? { remember: 'session' as const } : {}),
        }),
        () => {
          if (byAgent) throw new Violation('the agent decided for itself');
          if (late) throw new Violation(`${ask.approvalId} was decided again`);
          if (record.deleted) return;
          const { decision } = record.expected.calls.get(ask.callId) ?? {};
          if (decision?.approved !== approved)
            throw new Violation(`${ask.approvalId} was decided, and that is not there`);
          if (decision === before) throw new Violation(`${ask.approvalId} was decided twice`);
        },
        (error) => {
          // A session that rests is read again for it, which an agent that is being closed refuses to do.
          const stopping = this.#closing === agent && error.code === 'agent_closed';
          const late409 = error.statusCode === 409 || error.statusCode === 400;
          if (late && !byAgent && !record.deleted && !late409 && !stopping) {
            throw new Violation(`a late decision is answered with ${error.code}`);
          }
        },
      );
    decide();
    if (twice) decide();
  }

  #revoke({ slot }: Of<'revoke'>): void {
    const record = this.sessionOf(slot);
    const [grant] = record?.expected.grants ?? [];
    if (record === undefined || grant === undefined) return;
    void this.#answers(
      'revocation',
      this.#process.agent.revokeGrant(record.id, grant.ask.approvalId, 'operator'),
      () => {
        if (record.expected.grants.some(({ ask }) => ask.approvalId === grant.ask.approvalId))
          throw new Violation('a revoked grant is in force');
      },
    );
  }

  #cancel({ slot, twice }: Of<'cancel'>): void {
    const record = this.sessionOf(slot);
    if (record === undefined) return;
    const cancel = (): void =>
      void this.#answers('cancel', this.#process.agent.cancel(record.id, 'operator'), () => undefined);
    cancel();
    if (twice) cancel();
  }

  #delete({ slot }: Of<'delete'>): void {
    const record = this.sessionOf(slot);
    if (record === undefined) return;
    void this.#answers('delete', this.#process.agent.delete(record.id, 'operator'), () => {
      if (!record.deleted) throw new Violation('a deleted session is still there');
    });
  }

  #look({ slot }: Of<'look'>): void {
    const record = this.sessionOf(slot);
    if (record === undefined) return;
    const { agent } = this.#process;
    void this.#answers('get', agent.get(record.id), ({ header, entries }) =>
      checkView(record, header, entries.length),
    );
    void this.#answers('list', agent.list(), () => undefined);
  }

  #watch({ slot, after }: Of<'watch'>): void {
    const record = this.sessionOf(slot);
    if (record === undefined) return;
    const watched = new WatchedSession(record, after, (error) => this.#world.fail(error));
    this.#watched.push(watched);
    void this.#answers(
      'watch',
      this.#process.agent.watch(record.id, { afterSeq: after, signal: watched.signal }),
      (entries) => {
        void watched.read(entries);
      },
    );
  }

  /** An orderly end, with the time it may take, and the next start. */
  async #reopen(): Promise<void> {
    await this.close();
    await this.#nextLife('reopen');
  }

  /** Ends the process in order; throws when something is left running. */
  async close(): Promise<void> {
    const { agent, clock } = this.#process;
    let closed = false;
    this.#closing = agent;
    void agent.close().then(
      () => (closed = true),
      (error: unknown) => this.#world.fail(error),
    );
    // Effects have a second to report, and the store may be slow.
    for (let round = 0; round < 20 && !closed; round++) {
      await turnsOfTheLoop(20);
      await clock.advance(200);
    }
    if (!closed && this.#process.alive) throw new Violation('the agent does not close');
    for (const watched of this.#watched) watched.leave();
    this.#watched = [];
  }

  async #nextLife(because: string | undefined): Promise<void> {
    this.#world.trace.push(
      because === 'reopen' ? '-- ended in order, next process --' : '-- crashed, next process --',
    );
    await this.#process.crash();
    for (const watched of this.#watched) watched.leave();
    this.#watched = [];
    const settings: Partial<AgentSettings> = this.#world.settings.current;
    this.#process = startProcess(
      this.#world,
      this.#process.clock.now() + 1,
      settings,
      this.#world.tools.current,
      this.lives++,
    );
    await this.#recover();
  }

  /** A host starts the agent anew when it could not recover. */
  async #recover(): Promise<void> {
    const { agent } = this.#process;
    for (let attempt = 0; attempt < 20 && this.#process.alive; attempt++) {
      let outcome: 'recovered' | 'failed' | undefined;
      void this.#answers('recover', agent.recover(), () => (outcome = 'recovered')).then(
        () => (outcome ??= 'failed'),
      );
      for (let round = 0; round < 2_000 && outcome === undefined && this.#process.alive; round++)
        await turnsOfTheLoop(1);
      if (outcome === 'recovered') return;
      if (outcome === undefined && this.#process.alive) throw new Violation('recovery does not end');
    }
  }

  /** Hears what comes of an operation; only errors that were injected or thrown on purpose are allowed. */
  async #answers<Value>(
    name: string,
    work: Promise<Value>,
    check: (value: Value) => void,
    refused?: (error: AgentError) => void,
  ): Promise<void> {
    const { trace } = this.#world;
    try {
      const value = await work;
      this.#world.watch(() => check(value));
      trace.push(`  ${name}: ok`);
    } catch (error) {
      trace.push(`  ${name}: ${String(error)}`);
      if (AgentError.isInstance(error)) this.#world.watch(() => refused?.(error));
      else if (!/as injected/.test(String(error))) this.#world.fail(error);
    }
  }
}

/** What is told of a session is what was durable at some moment. */
function checkView(record: SessionRecord, header: SessionHeader, entries: number): void {
  if (record.deleted) return;
  if (!isDeepStrictEqual(record.headers.get(header.seq), header))
    throw new Violation(`the session is told as ${JSON.stringify(header)}`);
  if (entries !== header.seq) throw new Violation(`${entries} entries are told of ${header.seq}`);
}
