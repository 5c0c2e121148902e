import type { Entry, JsonObject, SessionHeader } from '@harperfast/agent-core';
import { Violation } from '../violation.js';
import { ExpectedSession } from './expected-session.js';

/** A request as the model was sent it, until its reply is journaled. */
export interface SentRequest {
  readonly capMicros: number;
  /** What the reply's calls will be executed with, in their order; `undefined` where they cannot be. */
  rawArguments: readonly (JsonObject | undefined)[];
  /** What the reply must cost by its usage, where that makes sense. */
  costMicros: number | undefined;
}

/** One execution of a tool. */
export interface Execution {
  readonly callId: string;
  readonly tool: string;
  readonly effectful: boolean;
  finished: 'no' | 'ok' | 'failed' | 'denied';
}

/** A session as the world sees it: what is durable, and what it did. */
export class SessionRecord {
  readonly created: SessionHeader;
  readonly entries: Entry[] = [];
  readonly expected = new ExpectedSession();
  readonly headers = new Map<number, SessionHeader>();
  readonly executions: Execution[] = [];
  /** By call id. */
  readonly rawArguments = new Map<string, JsonObject>();
  /** Prompts whose `prompt()` resolved. */
  readonly accepted = new Set<string>();
  deleted = false;
  request: SentRequest | undefined;

  constructor(created: SessionHeader) {
    this.created = created;
    this.headers.set(0, created);
  }

  get id(): string {
    return this.created.id;
  }

  executionsOf(callId: string): readonly Execution[] {
    return this.executions.filter((execution) => execution.callId === callId);
  }

  /** Books an entry that has become durable, and holds it against what was seen of the world. */
  add(entry: Entry): void {
    this.entries.push(entry);
    this.expected.add(entry);
    if (entry.kind === 'round') {
      const { request } = this;
      if (request === undefined) throw new Violation('a round without a request');
      this.request = undefined;
      if (
        !entry.usageEstimated &&
        request.costMicros !== undefined &&
        entry.costMicros !== request.costMicros
      ) {
        throw new Violation(`a call that cost ${request.costMicros} was booked as ${entry.costMicros}`);
      }
      const { costMicros, runMicros, runCap } = this.expected;
      const spent = costMicros - entry.costMicros;
      if (spent + entry.reservedMicros > request.capMicros) {
        throw new Violation(
          `a call started with ${spent} spent, ${entry.reservedMicros} reserved and a cap of ${request.capMicros}`,
        );
      }
      const ofRun = runMicros - entry.costMicros;
      if (runCap !== undefined && ofRun + entry.reservedMicros > runCap) {
        throw new Violation(
          `a call of a run started with ${ofRun} spent, ${entry.reservedMicros} reserved and a cap of ${runCap}`,
        );
      }
      entry.calls.forEach((call, index) => {
        const raw = request.rawArguments[index];
        if (raw !== undefined) this.rawArguments.set(call.id, raw);
      });
    }
    if (entry.kind === 'result') this.#checkResult(entry);
  }

  #checkResult({ callId, outcome }: Extract<Entry, { kind: 'result' }>): void {
    const executions = this.executionsOf(callId);
    const effectful = executions.filter((execution) => execution.effectful);
    const never =
      outcome === 'invalid' ||
      outcome === 'cancelled' ||
      (outcome === 'denied' && !executions.some(({ finished }) => finished === 'denied'));
    if (never && effectful.length > 0) throw new Violation(`${callId} is ${outcome} and took effect`);
    if (
      outcome === 'ok' &&
      this.expected.calls.get(callId)?.start !== undefined &&
      executions.length === 0 &&
      !this.#restarted(callId)
    ) {
      throw new Violation(`${callId} is ok and was never executed`);
    }
  }

  #restarted(callId: string): boolean {
    return this.expected.calls.get(callId)?.start?.restartsProcess === true;
  }
}
