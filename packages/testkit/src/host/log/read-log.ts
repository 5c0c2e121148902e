import { readFile } from 'node:fs/promises';
import { parseLog, type LogEntry } from './log-format.js';

export interface ReadLogQuery {
  readonly level?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly start: number;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/** A page of the log's entries, filtered. The whole file is read: it is a test's log. */
export async function readLog(file: string, query: ReadLogQuery): Promise<LogEntry[]> {
  const from = query.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(query.from);
  const until = query.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.until);
  const entries = parseLog(await readFile(file, 'utf8')).filter(({ level, timestamp }) => {
    const time = Date.parse(timestamp);
    return (query.level === undefined || level === query.level) && time >= from && time <= until;
  });
  if (query.order === 'desc') entries.reverse();
  return entries.slice(query.start, query.start + query.limit);
}
