import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** The names of drafts, as a pattern of the secrets rule. */
export const DRAFT_NAMES = '.agent-write-*.tmp';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const DRAFT = /^\.agent-write-([0-9a-f]{8})-(\d+)-[0-9a-f]{16}\.tmp$/;
const DAY_MS = 24 * 60 * 60_000;
/** How far the clocks of the disk and of this process may be apart. */
const CLOCKS_MS = 2000;

/** A name for new content until it takes its place. It tells which process of which machine (or container) wrote it. */
export function draftName(): string {
  return `.agent-write-${HOST}-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/** Whether a name may be that of a draft. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name);
}

/**
 * Whether nobody can be at work on a draft any more: its process is gone, or had our number before we did. Of another
 * machine on the same disk that cannot be told, so its drafts have to be a day old.
 */
export function isLeftover(name: string, writtenMs: number, nowMs = Date.now()): boolean {
  const [, host, pid] = DRAFT.exec(name) ?? [];
  if (host === undefined) return false;
  if (writtenMs < nowMs - DAY_MS) return true;
  if (host !== HOST) return false;
  if (Number(pid) === process.pid) return writtenMs < nowMs - process.uptime() * 1000 - CLOCKS_MS;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It lives, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
