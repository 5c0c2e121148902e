import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { processEntry } from './process-entry.js';
import { parseUpward, type Upward } from './supervision.js';

type Ready = Extract<Upward, { type: 'ready' }>;

const START_MS = 30_000;
const STOP_MS = 15_000;

/** The supervisor process of one host, from the side of whoever started it. */
export class SupervisedHost {
  readonly #env: Readonly<Record<string, string>>;
  #supervisor: ChildProcess | undefined;
  #ready: Ready | undefined;
  #untoldRestarts = 0;
  #failure: string | undefined;
  readonly #changed = new EventTarget();

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  /** The host process as last reported. */
  get current(): Ready {
    if (this.#ready === undefined) throw new Error('The host is not running: call start() first');
    return this.#ready;
  }

  async start(): Promise<void> {
    if (this.#supervisor !== undefined) throw new Error('The host is running already');
    this.#untoldRestarts = 0;
    this.#failure = undefined;
    const before = this.#ready;
    const supervisor = spawn(process.execPath, [fileURLToPath(processEntry('supervisor'))], {
      // A group of its own: one signal reaches supervisor and host together.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...cleanEnvironment(), ...this.#env },
    });
    this.#supervisor = supervisor;
    let errors = '';
    supervisor.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (errors = (errors + text).slice(-4000)));
    supervisor.on('message', (raw) => this.#hear(parseUpward(raw)));
    supervisor.on('exit', () => {
      if (this.#supervisor === supervisor) this.#supervisor = undefined;
      this.#failure ??= 'the supervisor ended';
      this.#changed.dispatchEvent(new Event('change'));
    });
    try {
      await this.#until(() => this.#ready !== before);
    } catch (error) {
      await this.kill();
      throw new Error(
        `The host did not start: ${error instanceof Error ? error.message : String(error)}\n${errors}`,
      );
    }
    this.#untoldRestarts = 0;
  }

  async waitForRestart(): Promise<void> {
    await this.#until(() => this.#untoldRestarts > 0);
    this.#untoldRestarts = 0;
  }

  async kill(): Promise<void> {
    const supervisor = this.#supervisor;
    if (supervisor?.pid === undefined) return;
    const closed = once(supervisor, 'close');
    process.kill(-supervisor.pid, 'SIGKILL');
    await closed;
    this.#supervisor = undefined;
  }

  async stop(): Promise<void> {
    const supervisor = this.#supervisor;
    if (supervisor === undefined) return;
    const closed = once(supervisor, 'close');
    supervisor.send({ type: 'stop' });
    const timer = setTimeout(() => void this.kill(), STOP_MS);
    await closed;
    clearTimeout(timer);
    this.#supervisor = undefined;
  }

  #hear(message: Upward): void {
    if (message.type === 'ready') {
      this.#ready = message;
      this.#untoldRestarts++;
    } else if (message.type === 'failed') this.#failure = message.message;
    this.#changed.dispatchEvent(new Event('change'));
  }

  async #until(reached: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(START_MS);
    while (!reached()) {
      if (this.#failure !== undefined) throw new Error(this.#failure);
      await once(this.#changed, 'change', { signal });
    }
  }
}

/** Without what a test runner puts there: the host must resolve and behave as it would anywhere. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const dropped = /^(NODE_OPTIONS|NODE_ENV|NODE_CHANNEL_\w+|VITEST.*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name)));
}
