import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { jsonText } from './json-text.js';

const MOST_ROWS = 1000;
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Rows as a JSON list, fetched one by one where the answer is lazy: at most 1,000 and about 1 MiB, with a last element
 * that says so when there are more. The source is closed in any case; an abort ends the fetching.
 */
export async function collectRows(
  source: AsyncIterable<unknown> | Iterable<unknown>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const rows: unknown[] = [];
  const texts: string[] = [];
  let characters = 0;
  let note: string | undefined;
  for await (const row of source) {
    signal.throwIfAborted();
    if (rows.length === MOST_ROWS || characters > MOST_CHARACTERS) {
      note = `Only the first ${rows.length} rows: narrow the search, or page with limit and offset`;
      break;
    }
    const text = jsonText(row);
    rows.push(row);
    texts.push(text);
    characters += text.length;
  }
  if (note !== undefined) texts.push(JSON.stringify({ note }));
  return { text: `[${texts.join(',')}]`, data: rows, ...(note === undefined ? {} : { truncated: true }) };
}
