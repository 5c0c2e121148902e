import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { format } from 'node:util';
import { formatLogEntry, LOG_LEVELS, type LogLevel } from './log-format.js';

/** Harper's global `logger`. Arguments are formatted as `console.log` does. */
export type HostLogger = Readonly<Record<LogLevel, (...parts: unknown[]) => void>> & {
  withTag(tag: string): HostLogger;
};

export interface OpenLog {
  readonly logger: HostLogger;
  close(): void;
}

export interface LogOptions {
  readonly file: string;
  /** How this thread is named in every line: `main/0`, `http/1`. */
  readonly thread: string;
  /** The least important level that is written. */
  readonly level: LogLevel;
}

/**
 * Opens the log for one thread. Each entry is one append, so threads share the file without mixing lines, and what
 * was logged before a SIGKILL is there after it.
 */
export function openLog({ file, thread, level }: LogOptions): OpenLog {
  mkdirSync(dirname(file), { recursive: true });
  let descriptor: number | undefined = openSync(file, 'a');
  const least = LOG_LEVELS.indexOf(level);

  const write = (entryLevel: LogLevel, tags: readonly string[], parts: readonly unknown[]) => {
    if (descriptor === undefined || LOG_LEVELS.indexOf(entryLevel) < least) return;
    const message = format(...parts);
    writeSync(
      descriptor,
      formatLogEntry({ timestamp: new Date().toISOString(), thread, level: entryLevel, tags, message }),
    );
  };
  const loggerWith = (tags: readonly string[]): HostLogger => {
    const at =
      (entryLevel: LogLevel) =>
      (...parts: unknown[]) =>
        write(entryLevel, tags, parts);
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      fatal: at('fatal'),
      notify: at('notify'),
      withTag: (tag) => loggerWith([...tags, tag]),
    };
  };
  return {
    logger: loggerWith([]),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Sends this thread's `console` to the log. */
export function logConsole(logger: HostLogger): void {
  const { trace, debug, info, warn, error } = logger;
  Object.assign(console, { trace, debug, log: info, info, warn, error, dir: info });
}
