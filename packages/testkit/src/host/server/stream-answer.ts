import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { messageOf, statusCodeOf } from '../host-error.js';

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown>;
type Format = 'events' | 'json';

/** The iterator of a result that is to be streamed; undefined for lists, texts and everything else. */
export function iteratorOf(result: unknown): AnyIterator | undefined {
  if (typeof result !== 'object' || result === null || Array.isArray(result) || ArrayBuffer.isView(result))
    return undefined;
  if (Symbol.asyncIterator in result) return (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  if (Symbol.iterator in result) return (result as Iterable<unknown>)[Symbol.iterator]();
  return undefined;
}

/**
 * Writes what an iterator yields, as server-sent events or as one JSON array, no faster than the client reads.
 * When the client leaves or `signal` aborts, the iterator's `return()` is called at once. An error before the
 * first item rejects (nothing has been sent); a later one ends an event stream with an `error` event.
 */
export async function streamAnswer(
  response: ServerResponse,
  iterator: AnyIterator,
  format: Format,
  signal: AbortSignal,
): Promise<void> {
  const left = leaving(response, signal);
  const next = () => Promise.race([Promise.resolve(iterator.next()), left.promise]);
  try {
    let step = await next();
    response.writeHead(200, {
      'content-type': format === 'events' ? 'text/event-stream' : 'application/json',
      'cache-control': 'no-cache',
      // A kept socket would delay an orderly shutdown.
      connection: 'close',
    });
    if (format === 'json') response.write('[');
    for (let count = 0; step !== 'left' && step.done !== true; count++) {
      const text =
        format === 'events'
          ? formatEvent(step.value)
          : `${count === 0 ? '' : ','}${JSON.stringify(step.value)}`;
      if (!response.write(text))
        await Promise.race([
          once(response, 'drain', { signal: left.signal }).catch(() => 'left'),
          left.promise,
        ]);
      step = await next();
    }
    if (step === 'left') stopIterator(iterator);
    response.end(format === 'json' ? ']' : undefined);
  } catch (error) {
    if (!response.headersSent) throw error;
    if (format === 'json') response.destroy();
    else
      response.end(
        formatEvent({ event: 'error', data: { message: messageOf(error), code: statusCodeOf(error) } }),
      );
  } finally {
    left.done();
  }
}

function leaving(response: ServerResponse, signal: AbortSignal) {
  const controller = new AbortController();
  let settle: (outcome: 'left') => void = () => {};
  const promise = new Promise<'left'>((resolve) => (settle = resolve));
  const leave = () => {
    settle('left');
    controller.abort();
  };
  response.once('close', leave);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted || response.destroyed) leave();
  return {
    promise,
    signal: controller.signal,
    done() {
      response.off('close', leave);
      signal.removeEventListener('abort', leave);
    },
  };
}

/** Not awaited: a generator that waits in `next()` answers `return()` only when that wait is over. */
function stopIterator(iterator: AnyIterator): void {
  Promise.resolve(iterator.return?.()).catch(() => {});
}

function formatEvent(item: unknown): string {
  if (typeof item === 'object' && item !== null && ('event' in item || 'data' in item)) {
    const { event, data, id, retry } = item as Readonly<Record<string, unknown>>;
    const fields = Object.entries({ event, id, retry }).filter(([, value]) => value !== undefined);
    const head = fields
      .map(([name, value]) => `${name}: ${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`)
      .join('');
    const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    return `${head}${text
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join('')}\n`;
  }
  return `data: ${JSON.stringify(item)}\n\n`;
}
