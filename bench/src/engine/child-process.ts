import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Longer than the slowest peer needs for one sample on a slow machine. */
const DEADLINE_MS = 300_000;

const answerSchema = z.union([
  z.strictObject({ values: z.record(z.string(), z.number()) }),
  z.strictObject({ error: z.string() }),
]);

export type Values = Readonly<Record<string, number>>;

export interface Task {
  readonly name: 'turns' | 'sessions' | 'pause' | 'resume';
  readonly turns: number;
  readonly sessions?: number;
  readonly modelMs?: number;
}

/** A process that measures itself. */
export interface MeasuredProcess {
  /** Rejects with what went wrong in the child, and after five minutes without an answer. */
  measure(task: Task): Promise<Values>;
  end(): Promise<void>;
}

/** Starts a contender in a process of its own. `file` is relative to the built child. */
export function startContender(file: string, variant: string, folder: string): MeasuredProcess {
  const child = start('child.js', [file, variant, folder]);
  return {
    measure(task) {
      child.send({ sessions: 1, modelMs: 0, ...task });
      return answerOf(child, `${file} (${variant}), ${task.name} of ${task.turns} turns`);
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'exit');
      child.disconnect();
      await closed;
    },
  };
}

/** What importing the modules costs a fresh process; `from` is the built program they are found from. */
export async function measureImport(program: string, modules: readonly string[]): Promise<Values> {
  const child = start(program, modules);
  try {
    return await answerOf(child, `import of ${modules.join(', ')}`);
  } finally {
    child.kill();
  }
}

/** Starts a built program of `dist`, which speaks through its channel. */
export function start(program: string, args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`../../dist/${program}`, import.meta.url));
  // Without the parent's flags: its loader for TypeScript must not be measured.
  return fork(file, args, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** The next answer of a program. Rejects when it says what failed, ends, or takes longer, by default five minutes. */
export async function answerOf(
  child: ChildProcess,
  what: string,
  deadlineMs: number = DEADLINE_MS,
): Promise<Values> {
  const stop = new AbortController();
  const { signal } = stop;
  const timer = setTimeout(
    () => stop.abort(new Error(`${what}: no answer in ${deadlineMs / 1_000} s`)),
    deadlineMs,
  );
  try {
    const answered = once(child, 'message', { signal }).then(([message]: unknown[]) =>
      answerSchema.parse(message),
    );
    const exited = once(child, 'exit', { signal }).then(([code, killedBy]: unknown[]) => ({
      error: `the process ended (${String(killedBy ?? code)}) before it answered`,
    }));
    const answer = await Promise.race([answered, exited]).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
    if ('error' in answer) throw new Error(`${what}: ${answer.error}`);
    return answer.values;
  } finally {
    clearTimeout(timer);
    if (!signal.aborted) stop.abort();
  }
}
