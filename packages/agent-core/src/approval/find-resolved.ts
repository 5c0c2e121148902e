import type { AskEntry, SessionStore } from '../contracts/index.js';

const PAGE = 500;

/**
 * The ask that is no longer open, if there ever was one: tells a late decision from one for an approval that never
 * existed. Reads the whole journal in pages, which only a mistaken decision costs.
 */
export async function findResolvedAsk(
  store: SessionStore,
  sessionId: string,
  approvalId: string,
): Promise<AskEntry | undefined> {
  for (let after = 0; ;) {
    const page = await store.read(sessionId, { after, limit: PAGE });
    for (const entry of page) if (entry.kind === 'ask' && entry.approvalId === approvalId) return entry;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return undefined;
    after = last.seq;
  }
}
