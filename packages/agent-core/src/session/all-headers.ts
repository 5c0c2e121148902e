import type { SessionHeader, SessionStore, Status } from '../contracts/index.js';

const PAGE = 100;

/** Every header, page by page. Sessions that change meanwhile may be left out or come twice. */
export async function* allHeaders(
  store: SessionStore,
  query: { readonly status?: Status } = {},
): AsyncGenerator<SessionHeader, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...query, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
