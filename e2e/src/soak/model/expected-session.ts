import type {
  AskEntry,
  DecisionEntry,
  EndEntry,
  Entry,
  PromptEntry,
  ResultEntry,
  RoundEntry,
  SessionHeader,
  StartEntry,
  Status,
  ToolCall,
} from '@harperfast/agent-core';
import { isDeepStrictEqual } from 'node:util';
import { Violation } from '../violation.js';

/** A call of the model and everything the journal says of it. */
export interface SeenCall {
  readonly call: ToolCall;
  readonly ask?: AskEntry;
  readonly decision?: DecisionEntry;
  readonly start?: StartEntry;
  readonly result?: ResultEntry;
}

/** What decisions with `remember` gave, in force. */
export interface SeenGrant {
  readonly ask: AskEntry;
}

/** The user no decision may come from. */
export const AGENT_USER = 'hdb_agent';

/**
 * What a session is, worked out from its entries a second time and by other means than the engine's fold. `add` throws
 * a `Violation` when an entry breaks the grammar of journals: seqs without gaps, one result a call, asks before
 * decisions, starts before effects, no round while calls are open.
 */
export class ExpectedSession {
  seq = 0;
  status: Status = 'idle';
  costMicros = 0;
  runMicros = 0;
  rounds = 0;
  results = 0;
  summaries = 0;
  /** All calls so far, by id. */
  readonly calls = new Map<string, SeenCall>();
  readonly prompts: PromptEntry[] = [];
  grants: SeenGrant[] = [];
  /** The cap of the prompt that started the run. */
  runCap: number | undefined;
  #open: string[] = [];
  #unsent: PromptEntry[] = [];
  #lastAt = 0;

  get openCalls(): readonly SeenCall[] {
    return this.#open.flatMap((id) => this.calls.get(id) ?? []);
  }

  /** Asks that wait for a decision. */
  get pending(): readonly AskEntry[] {
    return this.openCalls.flatMap(({ ask, decision, result }) => (ask && !decision && !result ? [ask] : []));
  }

  add(entry: Entry): void {
    check(entry.seq === this.seq + 1, `entry ${entry.seq} follows ${this.seq}`);
    check(entry.at >= this.#lastAt, `entry ${entry.seq} is older than the one before`);
    this.seq = entry.seq;
    this.#lastAt = entry.at;
    switch (entry.kind) {
      case 'prompt':
        return this.#prompt(entry);
      case 'round':
        return this.#round(entry);
      case 'ask':
        return this.#ask(entry);
      case 'decision':
        return this.#decision(entry);
      case 'start':
        return this.#start(entry);
      case 'result':
        return this.#result(entry);
      case 'summary':
        check(this.status === 'running', 'a summary outside of a run');
        check(entry.upTo < entry.seq, 'a summary of what comes after it');
        this.summaries++;
        return this.#spend(entry.costMicros);
      case 'end':
        return this.#end(entry);
      case 'alert':
    }
  }

  /** Throws where a header tells something else than the entries do. */
  checkHeader(header: SessionHeader): void {
    const told = {
      seq: header.seq,
      status: header.status,
      spent: header.totals.costMicros,
      rounds: header.totals.rounds,
      results: header.totals.toolCalls,
      pending: header.pendingApprovals.map(({ approvalId }) => approvalId),
      grants: header.grants.map(({ approvalId }) => approvalId),
    };
    const expected = {
      seq: this.seq,
      status: this.status,
      spent: this.costMicros,
      rounds: this.rounds,
      results: this.results,
      pending: this.pending.map(({ approvalId }) => approvalId),
      grants: this.grants.map(({ ask }) => ask.approvalId),
    };
    check(
      isDeepStrictEqual(told, expected),
      `the header tells ${JSON.stringify(told)}, the entries ${JSON.stringify(expected)}`,
    );
  }

  #prompt(entry: PromptEntry): void {
    check(
      !this.prompts.some(({ messageId }) => messageId === entry.messageId),
      `the message ${entry.messageId} comes twice`,
    );
    this.prompts.push(entry);
    this.#unsent.push(entry);
    if (this.status !== 'running' && this.status !== 'awaiting_approval') this.#beginRun(entry);
  }

  #beginRun({ maxCostMicros }: PromptEntry): void {
    this.status = 'running';
    this.runCap = maxCostMicros;
    this.runMicros = 0;
  }

  #round(entry: RoundEntry): void {
    check(this.status === 'running', `a round while the session is ${this.status}`);
    check(this.#open.length === 0, `a round while ${this.#open.join(', ')} have no result`);
    check(entry.carriedUpTo < entry.seq, 'a round that carried what comes after it');
    check(
      entry.costMicros <= entry.reservedMicros || entry.overrun === true,
      `cost ${entry.costMicros} of reserved ${entry.reservedMicros} is not marked`,
    );
    this.#unsent = this.#unsent.filter(({ seq }) => seq > entry.carriedUpTo);
    this.rounds++;
    this.#spend(entry.costMicros);
    for (const call of entry.calls) {
      check(!this.calls.has(call.id), `the call id ${call.id} comes twice`);
      this.calls.set(call.id, { call });
    }
    this.#open = entry.calls.map(({ id }) => id);
  }

  #ask(entry: AskEntry): void {
    const seen = this.#openCall(entry.callId, 'an ask');
    check(
      seen.ask === undefined && seen.start === undefined,
      `the call ${entry.callId} is asked about too late or twice`,
    );
    check(
      entry.tool === seen.call.name && isDeepStrictEqual(entry.arguments, seen.call.arguments),
      `the ask ${entry.approvalId} shows another call than ${entry.callId}`,
    );
    this.#update(seen, { ask: entry });
  }

  #decision(entry: DecisionEntry): void {
    check(entry.by !== AGENT_USER, 'the agent decided for itself');
    if (entry.revokesGrant) {
      check(
        this.grants.some(({ ask }) => ask.approvalId === entry.approvalId),
        `${entry.approvalId} is revoked and was not in force`,
      );
      this.grants = this.grants.filter(({ ask }) => ask.approvalId !== entry.approvalId);
      return;
    }
    const seen = this.openCalls.find(({ ask }) => ask?.approvalId === entry.approvalId);
    check(seen?.ask !== undefined, `the decision on ${entry.approvalId} answers nothing that was asked`);
    check(
      seen.decision === undefined && seen.result === undefined,
      `${entry.approvalId} is decided twice or late`,
    );
    this.#update(seen, { decision: entry });
    if (entry.remember === undefined) return;
    check(
      entry.approved && ['write', 'disruptive'].includes(seen.ask.effect),
      `${seen.ask.effect} was granted ahead`,
    );
    this.grants = [...this.grants, { ask: seen.ask }];
  }

  #start(entry: StartEntry): void {
    const seen = this.#openCall(entry.callId, 'a start');
    check(seen.start === undefined, `the call ${entry.callId} starts twice`);
    check(entry.effect !== 'read', 'a read has a start');
    for (const earlier of this.openCalls) {
      if (earlier.call.id === entry.callId) break;
      const unsettled = earlier.result === undefined;
      check(
        !unsettled || earlier.start === undefined,
        `${entry.callId} starts while ${earlier.call.id} runs`,
      );
      const waits =
        unsettled &&
        earlier.ask !== undefined &&
        earlier.decision === undefined &&
        earlier.ask.effect !== 'read';
      check(!waits, `${entry.callId} starts before ${earlier.call.id} is decided`);
    }
    this.#update(seen, { start: entry });
  }

  #result(entry: ResultEntry): void {
    const seen = this.#openCall(entry.callId, 'a result');
    check(
      entry.outcome !== 'unknown' || seen.start !== undefined,
      `${entry.callId} is unknown and never started`,
    );
    this.results++;
    this.#update(seen, { result: entry });
    if (this.openCalls.every(({ result }) => result !== undefined)) this.#open = [];
  }

  #end(entry: EndEntry): void {
    check(this.#open.length === 0, `the run ends while ${this.#open.join(', ')} have no result`);
    check(this.status === 'running', `a run ends while the session is ${this.status}`);
    this.#unsent = this.#unsent.filter(({ seq }) => seq > entry.carriedUpTo);
    const { reason } = entry;
    if (reason === 'cancelled') this.grants = [];
    const ends: Readonly<Record<string, Status>> = {
      answered: 'completed',
      cancelled: 'aborted',
      interrupted: 'idle',
    };
    this.status = ends[reason] ?? 'error';
    check(
      this.status !== 'error' || entry.error !== undefined,
      `the run ended with ${reason} and says nothing`,
    );
    const [next] = this.#unsent;
    if (next !== undefined && reason !== 'cancelled' && reason !== 'interrupted') this.#beginRun(next);
  }

  #spend(micros: number): void {
    check(Number.isSafeInteger(micros) && micros >= 0, `a call costs ${micros} micro-dollars`);
    this.costMicros += micros;
    this.runMicros += micros;
  }

  #openCall(id: string, what: string): SeenCall {
    const seen = this.#open.includes(id) ? this.calls.get(id) : undefined;
    check(seen !== undefined, `${what} for ${id}, which is not open`);
    check(seen.result === undefined, `${what} for ${id}, which has its result`);
    return seen;
  }

  #update(seen: SeenCall, change: Partial<SeenCall>): void {
    this.calls.set(seen.call.id, { ...seen, ...change });
    if (this.#open.length > 0) this.status = this.pending.length > 0 ? 'awaiting_approval' : 'running';
  }
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}
