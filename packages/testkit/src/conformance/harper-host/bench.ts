import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Credentials } from '../../host/embedded-host.js';
import { eventSchema, type HookEvent } from './hook-event.js';
import type { HarperHostUnderTest, StartHarperHost } from './harper-host.js';
import type { HereCode } from './here.js';
import { inspectorPorts, type InspectorPorts } from './inspector-ports.js';
import { patiently } from './patiently.js';
import { runHere } from './run-here.js';
import {
  sendOperation,
  type OperationAnswer,
  type OperationsPlace,
  type SendOperationOptions,
} from './send-operation.js';
import { writeApplication, writeComponents } from './write-components.js';

const CALL_MS = 60_000;
/** How many workers the host has. */
export const WORKERS = 2;

const mainSchema = z.strictObject({ port: z.int() });

export interface SendOptions {
  readonly as?: SendOperationOptions['as'];
  readonly place?: OperationsPlace;
  /** Rejects when it is not answered in this time. */
  readonly withinMs?: number;
}

/** One worker as its probe told of it. */
export interface ProbedWorker {
  readonly threadId: number;
  readonly probe: number;
}

/** The host under test with the probe in it; all checks share one. */
export class HarperHostBench {
  readonly host: HarperHostUnderTest;
  /** Of a user whose role allows nothing. */
  readonly plain: Credentials = { username: 'probe_plain', password: 'not-super-1' };
  readonly ports: InspectorPorts;
  readonly #folder: string;
  readonly #token: string;

  private constructor(host: HarperHostUnderTest, folder: string, token: string, ports: InspectorPorts) {
    this.host = host;
    this.ports = ports;
    this.#folder = folder;
    this.#token = token;
  }

  static async open(start: StartHarperHost): Promise<HarperHostBench> {
    const folder = await mkdtemp(join(tmpdir(), 'harper-host-checks-'));
    let host: HarperHostUnderTest | undefined;
    try {
      const token = randomUUID();
      const ports = await inspectorPorts(WORKERS);
      const components = await writeComponents(folder, token);
      const { main: port, startingPort } = ports;
      const threads = { count: WORKERS, debug: { port, startingPort, host: '127.0.0.1' } };
      host = await start({ components, config: { threads } });
      const bench = new HarperHostBench(host, folder, token, ports);
      const role = 'probe_plain';
      await bench.ask({ operation: 'add_role', role, permission: { super_user: false } });
      await bench.ask({ operation: 'add_user', role, active: true, ...bench.plain });
      return bench;
    } catch (error) {
      await host?.stop();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.host.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs code on the main thread of the host. */
  async main<Args extends readonly unknown[]>(code: HereCode<Args>, ...args: Args): Promise<unknown> {
    return this.#run(await this.#mainPort(), code.toString(), args);
  }

  /** As `main`; what the code says is handed on at once, and what it says last when the host is killed is not lost. */
  async listen<Args extends readonly unknown[]>(
    heard: (said: unknown) => void,
    code: HereCode<Args>,
    ...args: Args
  ): Promise<unknown> {
    return this.#run(await this.#mainPort(), code.toString(), args, heard);
  }

  /** Runs code on one worker; the first of those that live, if none is named. */
  async worker<Args extends readonly unknown[]>(
    code: HereCode<Args>,
    given: { readonly at?: ProbedWorker; readonly args: Args },
  ): Promise<unknown> {
    const at = given.at ?? (await this.workers())[0];
    if (at === undefined) throw new Error('No worker of the host answers');
    return this.#run(at.probe, code.toString(), given.args);
  }

  /** Every call of a hook in this process of the host, in order. */
  async events(): Promise<readonly HookEvent[]> {
    return z.array(eventSchema).parse(await this.#run(await this.#mainPort(), 'events', []));
  }

  /** The workers that live, in the order they were started. */
  async workers(): Promise<readonly ProbedWorker[]> {
    const started = (await this.events()).flatMap(({ hook, threadId, probe }) =>
      hook === 'start' && probe !== undefined ? [{ threadId, probe }] : [],
    );
    const answers = await Promise.all(
      started.map(({ probe }) => this.#run(probe, 'events', []).catch(() => undefined)),
    );
    return started.filter((_worker, at) => answers[at] !== undefined);
  }

  /** Sends an operation, again while nobody listens; by default as the admin to the port. */
  send(body: object | string, given: SendOptions = {}): Promise<OperationAnswer> {
    const { as = this.host.admin, withinMs = CALL_MS } = given;
    const { place = { port: Number(new URL(this.host.operationsUrl).port) } } = given;
    return patiently(() => sendOperation(place, body, { as, signal: AbortSignal.timeout(withinMs) }));
  }

  /** Sends an operation as the admin; resolves with the body of a 200 and rejects with any other answer. */
  async ask(body: object): Promise<unknown> {
    const answer = await this.send(body);
    if (answer.status !== 200)
      throw new Error(`${JSON.stringify(body)} was answered ${JSON.stringify(answer)}`);
    return answer.body;
  }

  /** Status and text of a request to the applications, sent again while nobody listens. */
  async app(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly [number, string]> {
    const response = await patiently(() =>
      fetch(`${this.host.appUrl}${path}`, { headers, signal: AbortSignal.timeout(CALL_MS) }),
    );
    return [response.status, await response.text()];
  }

  /** Writes an application below the components' root. It is served once the workers were replaced. */
  writeApp(name: string, resources: string): Promise<void> {
    return writeApplication(join(this.host.componentsRoot, name), resources);
  }

  log(): Promise<string> {
    return readFile(this.host.logPath, 'utf8');
  }

  /** SIGKILL, then a new start on the same root. */
  async crash(): Promise<void> {
    await this.host.kill();
    await this.host.start();
  }

  async #mainPort(): Promise<number> {
    const text = await readFile(join(this.#folder, 'probe', 'main.json'), 'utf8');
    return mainSchema.parse(JSON.parse(text)).port;
  }

  #run(
    port: number,
    code: string,
    args: readonly unknown[],
    heard?: (said: unknown) => void,
  ): Promise<unknown> {
    const signal = AbortSignal.timeout(CALL_MS);
    return runHere({ port, token: this.#token, code, args, signal, ...(heard !== undefined && { heard }) });
  }
}
