const MOST_ROWS = 1000;

/**
 * Harper answers some operations with rows that are still to be fetched: these as a list, at most 1,000, with a
 * last element that says so when there are more. Anything else comes back as it is.
 */
export async function collectRows(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  if (!isAsyncIterable(result) && !isIterable(result)) return result;
  const rows: unknown[] = [];
  for await (const row of result) {
    if (rows.length === MOST_ROWS) {
      rows.push({
        note: `Only the first ${MOST_ROWS} rows: narrow the search, or page with limit and offset`,
      });
      break;
    }
    rows.push(row);
  }
  return rows;
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return typeof Reflect.get(value, Symbol.asyncIterator) === 'function';
}

function isIterable(value: object): value is Iterable<unknown> {
  return typeof Reflect.get(value, Symbol.iterator) === 'function';
}
