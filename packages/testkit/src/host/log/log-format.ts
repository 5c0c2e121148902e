/** Log levels, the least important first. `notify` is always written. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'notify'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogEntry {
  readonly timestamp: string;
  readonly thread: string;
  readonly level: string;
  readonly tags: readonly string[];
  readonly message: string;
}

/** One entry in Harper's form: `2026-11-30T10:00:00.000Z [main/0] [info]: text`. */
export function formatLogEntry({ timestamp, thread, level, tags, message }: LogEntry): string {
  const marks = [thread, level, ...tags].map((mark) => `[${mark}]`).join(' ');
  return `${timestamp} ${marks}: ${message}\n`;
}

const FIRST_LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) \[([^\]]*)\] \[([^\]]*)\]((?: \[[^\]]*\])*): ?(.*)$/;

/** Reads a log file's text back; lines that start no entry belong to the one before. */
export function parseLog(text: string): LogEntry[] {
  const entries: { timestamp: string; thread: string; level: string; tags: string[]; message: string }[] = [];
  for (const line of text.split('\n')) {
    const match = FIRST_LINE.exec(line);
    if (match !== null) {
      const [, timestamp = '', thread = '', level = '', tags = '', message = ''] = match;
      entries.push({ timestamp, thread, level, tags: tags.match(/[^[\] ]+/g) ?? [], message });
      continue;
    }
    const last = entries.at(-1);
    if (last !== undefined && line !== '') last.message += `\n${line}`;
  }
  return entries;
}
