import { REDACTION_MARK } from '@harperfast/agent-core';
import type { AgentSettings, Entry, Redactor } from '@harperfast/agent-core';
import type { Scenario, StoreStep, ToolStep, ModelStep } from './scenario.js';
import { SECRET } from './scenario.js';
import type { RecordingStore } from './recording-store.js';
import { recordingStore } from './recording-store.js';
import type { SessionRecord } from './session-record.js';
import { judgeStart } from './judge-start.js';
import { History } from './history.js';
import { Violation } from '../violation.js';

/** What one scenario plays in: what is durable, the random choices still to come, and what went wrong. */
export class World {
  readonly scenario: Scenario;
  readonly durable: RecordingStore;
  readonly trace: string[] = [];
  readonly settings = new History<AgentSettings>();
  readonly tools = new History<number>();
  /** Nothing fails, hangs or asks any more: the end of the play. */
  calm = false;
  #violation: unknown;
  readonly #cursors = new Map<string, number>();

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.durable = recordingStore(
      (error) => this.fail(error),
      (record, entry) => this.#judge(record, entry),
    );
  }

  /** Keeps the first violation: whoever finds one may be called by the engine, which would take a throw for an event. */
  fail(error: unknown): void {
    this.#violation ??= error;
  }

  /** Runs a check on behalf of the engine. */
  watch<Value>(check: () => Value): Value | undefined {
    try {
      return check();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  throwIfViolated(): void {
    if (this.#violation !== undefined) throw this.#violation;
  }

  nextModelStep(): ModelStep {
    return this.calm
      ? { kind: 'says', text: 'done', usage: 'within' }
      : this.#next('model', this.scenario.model);
  }

  nextToolStep(): ToolStep {
    return this.calm ? 'ok' : this.#next('tools', this.scenario.tools);
  }

  nextStoreStep(): StoreStep {
    return this.calm ? { delay: 0 } : this.#next('store', this.scenario.store);
  }

  #judge(record: SessionRecord, entry: Entry): void {
    if (entry.kind === 'start') judgeStart(record, entry, { settings: this.settings, tools: this.tools });
  }

  #next<Item>(name: string, items: readonly Item[]): Item {
    const at = this.#cursors.get(name) ?? 0;
    this.#cursors.set(name, at + 1);
    const item = items[at % items.length];
    if (item === undefined) throw new Violation(`The scenario has no ${name}`);
    return item;
  }
}

/** Knows one secret. */
export const redactor: Redactor = {
  redact: (text) => text.replaceAll(SECRET, REDACTION_MARK),
  redactOutput: async (text) => text.replaceAll(SECRET, REDACTION_MARK),
};
