import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { AgentApi } from '../../support/agent-api.js';
import { pollUntil } from '../../support/poll-until.js';
import { startAgentHost } from '../../support/start-agent-host.js';
import { Violation } from '../violation.js';

/** What was tried on a host and what came of it. */
export interface HostReport {
  readonly rounds: number;
  readonly requests: number;
  /** Requests whose worker ended before it had answered. */
  readonly endedBefore: number;
  /** The longest a request took, in milliseconds. */
  readonly slowestMs: number;
}

/** Line 3 is where everything is set. */
const SOAKED = `export class Soaked {
  async post(_target, body) {
    const doubled = body.value * 2;
    if (body.value < 0) throw new RangeError('negative');
    if (body.exit) process.exit(1);
    return { doubled };
  }
}
`;
const PLACE = { path: 'soaked/resources.js', line: 3 };
const ANSWER_MS = 35_000;
const FINE_MS = 5000;
const BURST = 40;

const PROBES = {
  snapshot: {
    name: 'inspector_snapshot',
    arguments: { ...PLACE, hits: 50, expressions: ['doubled', 'body'] },
  },
  pausing: { name: 'inspector_snapshot', arguments: { ...PLACE, hits: 50, expressions: ['(doubled)'] } },
  throw: { name: 'inspector_catch_exceptions', arguments: { caught: true, within: 'soaked', hits: 50 } },
  logpoint: { name: 'inspector_set_logpoint', arguments: { ...PLACE, hits: 50, expression: 'body.value' } },
  breakpoint: { name: 'inspector_set_breakpoint', arguments: PLACE },
} as const;
/** What is set on the workers, and what happens while requests pass by. */
const ROUNDS: readonly (readonly [keyof typeof PROBES, 'restart' | 'exit' | 'resume' | 'cancel'])[] = [
  ['snapshot', 'restart'],
  ['breakpoint', 'restart'],
  ['snapshot', 'exit'],
  ['throw', 'restart'],
  ['breakpoint', 'cancel'],
  ['logpoint', 'exit'],
  ['pausing', 'restart'],
  ['throw', 'exit'],
  ['pausing', 'exit'],
  ['breakpoint', 'resume'],
  ['logpoint', 'restart'],
];

/**
 * Restarts, ends and pauses the http workers of an embedded host while its agent looks into them. Throws a `Violation`
 * when a request is not answered within 35 s, or a worker does not answer afterwards.
 */
export async function runOnHost(
  { times }: { readonly times: number },
  progress: (report: HostReport) => void = () => undefined,
): Promise<HostReport> {
  const host = await startAgentHost({
    model: new URL('calls-model.mjs', import.meta.url),
    workers: 2,
    agent: {
      tools: ['inspector'],
      autoApprove: true,
      prices: { default: { input: 0, output: 0 } },
      maxCostUsd: 0,
    },
  });
  const soak = new HostSoak(host);
  try {
    await soak.deploy();
    for (let round = 0; round < times; round += 1) {
      const [probe, event] = ROUNDS[round % ROUNDS.length] ?? ['snapshot', 'restart'];
      try {
        await soak.once(probe, event);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Violation(`host round ${round + 1}, ${event} with a ${probe} set: ${why}`, {
          cause: error,
        });
      }
      progress(soak.report(round + 1));
    }
    return soak.report(times);
  } finally {
    await host.stop();
  }
}

class HostSoak {
  readonly #host: EmbeddedHost;
  readonly #api: AgentApi;
  #totals = { requests: 0, endedBefore: 0, slowestMs: 0 };

  constructor(host: EmbeddedHost) {
    this.#host = host;
    this.#api = new AgentApi(host);
  }

  report(rounds: number): HostReport {
    return { rounds, ...this.#totals };
  }

  async deploy(): Promise<void> {
    const folder = join(this.#host.componentsRoot, 'soaked');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'config.yaml'), 'rest: true\njsResource:\n  files: resources.js\n');
    await writeFile(join(folder, 'resources.js'), SOAKED);
    await this.#restart();
    await this.#settled();
  }

  async once(probe: keyof typeof PROBES, event: 'restart' | 'exit' | 'resume' | 'cancel'): Promise<void> {
    const sessionId = await this.#calls([PROBES[probe]]);
    const burst = this.#burst();
    if (probe === 'breakpoint') {
      await this.#calls([{ name: 'inspector_paused', arguments: { waitMs: FINE_MS } }], sessionId);
    }
    if (event === 'restart') await this.#restart();
    else if (event === 'exit') await this.#request({ value: 1, exit: true });
    else if (event === 'cancel') await this.#api.call('delete_agent_session', { session_id: sessionId });
    else {
      // The next request stops it again; then the time that a breakpoint may take is over.
      await this.#calls(
        [0, 1].map((workerIndex) => ({ name: 'inspector_resume', arguments: { workerIndex } })),
        sessionId,
      );
    }
    await burst;
    if (event !== 'cancel') await this.#api.call('delete_agent_session', { session_id: sessionId });
    await this.#settled();
  }

  /** Has the agent make these calls; resolves when its run has ended. */
  async #calls(list: readonly object[], sessionId?: string): Promise<string> {
    const fields = sessionId === undefined ? {} : { session_id: sessionId };
    const { session_id } = await this.#api.prompt(JSON.stringify(list), fields);
    const { status, lastError } = await pollUntil(
      () => this.#api.session(session_id),
      (session) => session.status !== 'running',
    );
    if (status !== 'completed')
      throw new Violation(`the agent ended ${status}: ${JSON.stringify(lastError)}`);
    return session_id;
  }

  async #restart(): Promise<void> {
    const began = performance.now();
    const { status } = await this.#host.operation(
      { operation: 'restart_service', service: 'http_workers' },
      { signal: AbortSignal.timeout(ANSWER_MS) },
    );
    if (status !== 200) throw new Violation(`restart_service answered ${status}`);
    this.#slowest(began);
  }

  async #burst(): Promise<void> {
    await Promise.all(
      Array.from({ length: BURST }, (_, at) => this.#request({ value: at % 4 === 3 ? -1 : at })),
    );
  }

  /** Any answer will do, and that its worker ended; not that nothing comes. */
  async #request(body: object): Promise<number | 'ended'> {
    const began = performance.now();
    const signal = AbortSignal.timeout(ANSWER_MS);
    this.#totals.requests += 1;
    try {
      const response = await this.#host.fetchApp('/Soaked', {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify(body),
        signal,
      });
      await response.text();
      this.#slowest(began);
      return response.status;
    } catch {
      if (signal.aborted) throw new Violation(`a request was not answered within ${ANSWER_MS} ms`);
      this.#totals.endedBefore += 1;
      return 'ended';
    }
  }

  #slowest(began: number): void {
    this.#totals.slowestMs = Math.max(this.#totals.slowestMs, Math.round(performance.now() - began));
  }

  /** Nothing is set any more: requests are answered as ever, as soon as a worker that ended is replaced. */
  async #settled(): Promise<void> {
    await pollUntil(
      () => Promise.all(Array.from({ length: 8 }, () => this.#request({ value: 2 }))),
      (statuses) => statuses.every((status) => status === 200),
    );
  }
}
