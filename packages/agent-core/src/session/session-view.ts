import type { AskEntry, Entry, SessionHeader, SessionStore, ToolCall } from '../contracts/index.js';
import { toHeader } from './header.js';
import { noticeFor } from './notices.js';
import type { SessionState } from './state.js';
import { undecidedAsks } from './state.js';

/** A message of the transcript as people read it: in the order it happened, with its time. */
export interface TranscriptMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  readonly createdAt: number;
}

/** What is told of a session: durable entries only. */
export interface SessionView {
  readonly header: SessionHeader;
  readonly entries: readonly Entry[];
  /** Entries were left out: ask with `afterSeq`. */
  readonly truncated: boolean;
  readonly messages: readonly TranscriptMessage[];
  readonly pendingApprovals: readonly AskEntry[];
}

/** Which entries are wanted: those after a seq, else the newest. */
export interface EntryRange {
  readonly afterSeq?: number;
  readonly limit?: number;
}

const PAGE = 500;
const MAX_BYTES = 1_048_576;

export async function viewSession(
  state: SessionState,
  store: SessionStore,
  range: EntryRange,
): Promise<SessionView> {
  const { entries, truncated } =
    range.afterSeq === undefined
      ? await newestEntries(state, store, range.limit ?? Infinity)
      : await entriesAfter(state, store, range.afterSeq, range.limit ?? PAGE);
  return {
    header: toHeader(state),
    entries,
    truncated,
    messages: entries.flatMap(toMessages),
    pendingApprovals: undecidedAsks(state),
  };
}

async function entriesAfter(state: SessionState, store: SessionStore, after: number, limit: number) {
  const read = await store.read(state.id, { after, limit: Math.min(limit, PAGE) });
  const entries = read.filter((entry) => entry.seq <= state.seq);
  return { entries, truncated: (entries.at(-1)?.seq ?? state.seq) < state.seq };
}

/** Reads back from the end until the limit or a megabyte is reached. */
async function newestEntries(state: SessionState, store: SessionStore, limit: number) {
  const kept: Entry[] = [];
  let bytes = 0;
  for (let end = state.seq; end > 0; end -= PAGE) {
    const after = Math.max(0, end - PAGE);
    const page = await store.read(state.id, { after, limit: end - after });
    for (const entry of page.toReversed()) {
      bytes += Buffer.byteLength(JSON.stringify(entry));
      if (kept.length > 0 && (bytes > MAX_BYTES || kept.length >= limit)) {
        return { entries: kept.reverse(), truncated: true };
      }
      kept.push(entry);
    }
  }
  return { entries: kept.reverse(), truncated: false };
}

function toMessages(entry: Entry): readonly TranscriptMessage[] {
  const createdAt = entry.at;
  switch (entry.kind) {
    case 'prompt':
      return [{ role: 'user', content: entry.text, createdAt }];
    case 'round': {
      const notice = noticeFor(entry);
      const said: TranscriptMessage = {
        role: 'assistant',
        content: entry.content,
        ...(entry.calls.length > 0 ? { toolCalls: entry.calls } : {}),
        createdAt,
      };
      return notice === undefined ? [said] : [said, { role: 'user', content: notice, createdAt }];
    }
    case 'result':
      return [{ role: 'tool', content: entry.text, toolCallId: entry.callId, createdAt }];
    default:
      return [];
  }
}
