import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Caretaker } from './caretaker.js';

const READY = 'successfully started';
const START_MS = 120_000;
const STOP_MS = 20_000;
const EVERY_MS = 50;
const LAST_CHARACTERS = 4_000;

export interface Program {
  /** Where HarperDB writes its process id: after the operation `restart` that is no child of ours. */
  readonly pidFile: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Ends it where this process cannot. */
  readonly caretaker: Caretaker;
}

/** Runs HarperDB's program to its end. Rejects with what it said when that is no good one. */
export async function runProgram({ file, args, env, caretaker }: Omit<Program, 'pidFile'>): Promise<void> {
  const child = spawn(process.execPath, [file, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: START_MS,
    killSignal: 'SIGKILL',
  });
  watch(caretaker, child, (pid) => pid);
  const said = listen(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`HarperDB ended with ${String(code)}:\n${said()}`);
}

/** A HarperDB server as a process of its own. It ends with the process that started it. */
export class HarperDbProcess {
  readonly #program: Program;
  /** Those that were children of ours. */
  readonly #pids = new Set<number>();
  /** What the file says is of this server, and not of an earlier one on the same folder. */
  #wasUp = false;
  /** What `waitForRestart` has told of. */
  #restarted: number | undefined;
  #running: ChildProcess | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  get pid(): number {
    const pid = this.#running?.pid ?? this.#restarted;
    if (pid === undefined) throw new Error('HarperDB is not running: call start() first');
    return pid;
  }

  /** Resolves when it says that it is up; rejects with what it said instead. */
  async start(): Promise<void> {
    if (this.#running !== undefined) throw new Error('HarperDB is running already');
    const { file, args, env, pidFile, caretaker } = this.#program;
    // A group of its own, so that one signal reaches what it starts itself.
    const child = spawn(process.execPath, [file, ...args], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) this.#pids.add(child.pid);
    watch(caretaker, child, (pid) => -pid);
    this.#running = child;
    child.once('exit', () => {
      if (this.#running === child) this.#running = undefined;
    });
    const said = listen(child);
    try {
      await untilReady(child, said);
      this.#wasUp = true;
      caretaker.follow(pidFile);
    } catch (error) {
      await this.kill();
      throw error;
    }
  }

  /** Resolves when a `restart` has put another process in its place; rejects after two minutes. */
  async waitForRestart(): Promise<void> {
    const end = Date.now() + START_MS;
    for (;;) {
      const pid = await this.#pidInFile();
      if (pid !== undefined && pid !== this.#restarted && !this.#pids.has(pid)) {
        this.#restarted = pid;
        return;
      }
      if (Date.now() > end) throw new Error(`HarperDB has not restarted after ${START_MS} ms`);
      await delay(EVERY_MS);
    }
  }

  /** SIGKILL; resolves when nothing of it runs any more. */
  async kill(): Promise<void> {
    const child = this.#running;
    if (child !== undefined) {
      const ended = once(child, 'close');
      signalGroup(child, 'SIGKILL');
      await ended;
    }
    await this.#endRestarted('SIGKILL');
  }

  /** Ends it in order, and after 20 s by force. */
  async stop(): Promise<void> {
    const child = this.#running;
    if (child !== undefined) {
      const ended = once(child, 'close');
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
      signalGroup(child, 'SIGKILL');
    }
    await this.#endRestarted('SIGTERM');
  }

  /** Ends the process that a `restart` has left, if there is one. */
  async #endRestarted(signal: NodeJS.Signals): Promise<void> {
    this.#restarted = undefined;
    const pid = await this.#pidInFile();
    if (!this.#wasUp || pid === undefined || this.#pids.has(pid)) return;
    process.kill(pid, signal);
    const end = Date.now() + STOP_MS;
    while (isAlive(pid) && Date.now() < end) await delay(EVERY_MS);
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }

  /** The process HarperDB says it is, where it runs. */
  async #pidInFile(): Promise<number | undefined> {
    const pid = Number(await readFile(this.#program.pidFile, 'utf8').catch(() => ''));
    return pid > 1 && isAlive(pid) ? pid : undefined;
  }
}

/** For as long as it runs; `name` makes of its number the one of its group, where it has one. */
function watch(caretaker: Caretaker, child: ChildProcess, name: (pid: number) => number): void {
  if (child.pid === undefined) return;
  const known = name(child.pid);
  caretaker.watch(known);
  child.once('exit', () => caretaker.forget(known));
}

function untilReady(child: ChildProcess, said: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (said().includes(READY)) settle(resolve);
    };
    const ended = (code: number | null): void =>
      settle(() => reject(new Error(`HarperDB ended with ${code} before it was up:\n${said()}`)));
    const timer = setTimeout(
      () => settle(() => reject(new Error(`HarperDB is not up after ${START_MS} ms:\n${said()}`))),
      START_MS,
    );
    function settle(how: () => void): void {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.off('exit', ended);
      how();
    }
    child.stdout?.on('data', look);
    child.once('exit', ended);
  });
}

/** The end of what a process says. */
function listen(child: ChildProcess): () => string {
  let said = '';
  const hear = (text: string): void => void (said = (said + text).slice(-LAST_CHARACTERS));
  child.stdout?.setEncoding('utf8').on('data', hear);
  child.stderr?.setEncoding('utf8').on('data', hear);
  return () => said;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of it is gone.
  }
}
