import type { ToolOutput, ToolProvider } from '@harperfast/agent-core/contracts';
import { inspectorTools } from '@harperfast/agent-tools-inspector';
import type { Random } from '../random.js';
import { createRandom } from '../random.js';
import { Violation } from '../violation.js';
import type { Outcome, SoakWorker } from './soak-worker.js';
import { startSoakWorker, writeProgram } from './soak-worker.js';

/** What was tried and what came of it. */
export interface InspectorReport {
  readonly rounds: number;
  readonly requests: number;
  /** Requests whose worker was ended before it answered. */
  readonly endedBefore: number;
  readonly hits: number;
  /** The longest a request took, in milliseconds. */
  readonly slowestMs: number;
  /** Changes made in loops of the main thread while workers were paused in the middle of them. */
  readonly updates: number;
}

const WORKERS = 2;
/** In place of the 30 s of a server, so that a round may wait for it. */
const HOLD_MS = 700;
/** 35 s of a server: the hold and five seconds. */
const ANSWER_MS = HOLD_MS + 5000;
const FINE_MS = 2000;
const PLACE = { path: 'worker.mjs', line: 3 };

/** States a worker may be in when something happens to it. */
const STATES = [
  'nothing',
  'snapshot',
  'hot',
  'pausing',
  'hot-pausing',
  'throw',
  'logpoint',
  'breakpoint',
  'step',
  'evaluate',
  'profile',
] as const;
const EVENTS = ['end', 'replace', 'session', 'cancel', 'close', 'wait', 'resume', 'remove'] as const;

/**
 * Ends, replaces, pauses and leaves workers in every state the tools can bring them into. Throws a `Violation` when a
 * request is not answered in time, a worker cannot be ended or does not answer afterwards, or an update on the main
 * thread is lost.
 */
export async function runInspector(
  { times, seed }: { readonly times: number; readonly seed: number },
  progress: (report: InspectorReport) => void = () => undefined,
): Promise<InspectorReport> {
  const program = await writeProgram();
  const soak = new InspectorSoak(program.folder, createRandom(seed));
  try {
    await soak.start();
    for (let round = 1; round <= times; round++) {
      const state = STATES[round % STATES.length] ?? 'nothing';
      const event = EVENTS[Math.floor(round / STATES.length) % EVENTS.length] ?? 'end';
      try {
        await soak.once(state, event);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Violation(`round ${round} (seed ${seed}), ${event} in state ${state}: ${why}`, {
          cause: error,
        });
      }
      progress(soak.report(round));
    }
    return soak.report(times);
  } finally {
    await soak.stop();
    await program.remove();
  }
}

class InspectorSoak {
  readonly #folder: string;
  readonly #random: Random;
  #workers: SoakWorker[] = [];
  #provider: ToolProvider;
  #counter = 0;
  #counted = 0;
  #totals = { requests: 0, endedBefore: 0, hits: 0, slowestMs: 0, updates: 0 };

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
    this.#provider = this.#open();
  }

  report(rounds: number): InspectorReport {
    return { rounds, ...this.#totals };
  }

  async start(): Promise<void> {
    this.#workers = await Promise.all(Array.from({ length: WORKERS }, () => startSoakWorker(this.#folder)));
  }

  async stop(): Promise<void> {
    await this.#provider.close();
    await Promise.all(this.#workers.map((worker) => worker.end(ANSWER_MS)));
  }

  async once(state: (typeof STATES)[number], event: (typeof EVENTS)[number]): Promise<void> {
    const random = this.#random;
    const controller = new AbortController();
    const call = (name: string, input: object) => this.#call(name, input, controller.signal);
    const index = random.integer(0, WORKERS - 1);
    const going: Promise<unknown>[] = [];
    // How they end is not the question; that they end is.
    const start = (running: Promise<unknown>) => going.push(running.catch(() => undefined));
    let id: string | undefined;
    if (state === 'snapshot' || state === 'hot') {
      id = idOf(await call('inspector_snapshot', { ...PLACE, hits: 50, expressions: ['value', 'doubled'] }));
    } else if (state === 'pausing' || state === 'hot-pausing') {
      // What V8 has to evaluate, it evaluates in a pause.
      id = idOf(await call('inspector_snapshot', { ...PLACE, hits: 50, expressions: ['value + doubled'] }));
    } else if (state === 'throw') {
      id = idOf(await call('inspector_catch_exceptions', { caught: true, hits: 50 }));
    } else if (state === 'logpoint') {
      id = idOf(
        await call('inspector_set_logpoint', { ...PLACE, hits: 50, expression: '(globalThis.seen = value)' }),
      );
    } else if (state === 'breakpoint' || state === 'step') {
      id = idOf(await call('inspector_set_breakpoint', PLACE));
    } else if (state === 'evaluate') {
      start(
        call('inspector_evaluate', {
          workerIndex: index,
          expression: '(() => { while (true) {} })()',
          timeoutMs: 400,
        }),
      );
    } else if (state === 'profile') {
      start(call('inspector_profile_cpu', { workerIndex: index, durationMs: random.integer(100, 400) }));
    }
    const isHot = state === 'hot' || state === 'hot-pausing';
    const requests = this.#requests(isHot ? 20_000 : random.integer(1, 20));
    if (isHot) this.#update();
    if (state === 'breakpoint' || state === 'step') await call('inspector_paused', { waitMs: FINE_MS });
    if (state === 'step') {
      const step = random.pick(['over', 'into', 'out']);
      start(call('inspector_resume', { workerIndex: index, step }));
    }
    await this.#happen(event, index, { id, controller, call });
    await Promise.all(going);
    await requests;
    if (id !== undefined && event !== 'session' && event !== 'close') {
      this.#totals.hits += hitsOf(
        await this.#call('inspector_read_hits', { id }, new AbortController().signal),
      );
    }
    await this.#provider.sessionEnded?.('s1');
    await this.#settled();
  }

  async #happen(
    event: (typeof EVENTS)[number],
    index: number,
    round: {
      readonly id: string | undefined;
      readonly controller: AbortController;
      readonly call: (name: string, input: object) => Promise<ToolOutput>;
    },
  ): Promise<void> {
    const { id, controller, call } = round;
    if (event === 'end' || event === 'replace') await this.#replace(index, event === 'replace');
    else if (event === 'session') await this.#provider.sessionEnded?.('s1');
    else if (event === 'cancel') controller.abort(new Error('cancelled'));
    else if (event === 'close') {
      await this.#provider.close();
      this.#provider = this.#open();
    } else if (event === 'resume')
      await call('inspector_resume', { workerIndex: index }).catch(() => undefined);
    else if (event === 'remove' && id !== undefined) await call('inspector_remove_breakpoint', { id });
    // 'wait': what is set takes its course.
  }

  /** Requests to every worker at once. */
  async #requests(times: number): Promise<void> {
    await Promise.all(
      this.#workers.flatMap((worker) =>
        [1, -1].map(async (value) => {
          const began = performance.now();
          const outcome = await worker.request(value, times, ANSWER_MS);
          this.#totals.requests += 1;
          this.#totals.slowestMs = Math.max(this.#totals.slowestMs, Math.round(performance.now() - began));
          if (outcome === 'late') throw new Violation(`a request was not answered within ${ANSWER_MS} ms`);
          if (outcome === 'ended') this.#totals.endedBefore += 1;
          else checkAnswer(outcome, value);
        }),
      ),
    );
  }

  /** Reads, computes and writes, as a commit does, while hits arrive in the middle of it. */
  #update(): void {
    const before = this.#counter - this.#counted;
    let own = 0;
    for (const end = performance.now() + 40; performance.now() < end;) {
      const read = this.#counter;
      own += 1;
      this.#counter = read + 1;
    }
    const made = this.#counter - this.#counted - before;
    if (made !== own)
      throw new Violation(`${own} updates were made on the main thread, and ${made} are there`);
    this.#totals.updates += own;
    this.#counted = 0;
    this.#counter = 0;
  }

  /** Ends a worker in whatever state it is; a replacement is there before, or after. */
  async #replace(index: number, before: boolean): Promise<void> {
    const old = this.#workers[index];
    const next = before ? startSoakWorker(this.#folder) : undefined;
    if (old !== undefined && !(await old.end(ANSWER_MS))) throw new Violation('a worker could not be ended');
    this.#workers[index] = await (next ?? startSoakWorker(this.#folder));
  }

  /** Nothing is set any more: every worker answers at once. */
  async #settled(): Promise<void> {
    for (const [index, worker] of this.#workers.entries()) {
      const outcome = await worker.request(3, 1, FINE_MS);
      if (outcome === 'late' || outcome === 'ended') {
        throw new Violation(`worker ${index} did not answer afterwards: ${outcome}`);
      }
      checkAnswer(outcome, 3);
    }
  }

  #open(): ToolProvider {
    return inspectorTools({
      workers: () => this.#workers.map(({ threadId }, index) => ({ index, threadId })),
      root: this.#folder,
      limits: { holdMs: HOLD_MS, hitsPerSecond: 1000, pauseMs: 10_000 },
      // Called for every hit that is recorded: the change that must not tear another one.
      now: () => {
        this.#counter += 1;
        this.#counted += 1;
        return Date.now();
      },
    });
  }

  async #call(name: string, input: object, signal: AbortSignal): Promise<ToolOutput> {
    const tools = await this.#provider.tools({ user: 'soak' });
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}`);
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    return tool.execute(tool.input.parse(input), {
      sessionId: 's1',
      callId: 'c1',
      caller: { user: 'soak' },
      signal,
      logger,
    });
  }
}

function checkAnswer(outcome: Exclude<Outcome, 'ended'>, value: number): void {
  const expected = value < 0 ? `RangeError: negative: ${value}` : value * 2;
  if (outcome.answer !== expected) {
    throw new Violation(
      `a request was answered ${JSON.stringify(outcome.answer)} instead of ${JSON.stringify(expected)}`,
    );
  }
}

function idOf({ data }: ToolOutput): string {
  return String(Object(data).id);
}

function hitsOf({ data }: ToolOutput): number {
  return Object(data).hits.length;
}
