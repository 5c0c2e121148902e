/** Bytes one answer may have; a page of tools has a hundredth of it. */
const MOST_BYTES = 4_194_304;

/**
 * A `fetch` for one server of this machine: with a token of the moment, to no other place, and with answers that end
 * in an error where they are longer than 4 MiB. A message is answered whole: of a stream that ended too early the MCP
 * client tells nobody.
 */
export function boundedFetch(
  to: URL,
  token: () => Promise<string>,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    if (new URL(url).origin !== to.origin) throw new Error(`${String(url)} is not at ${to.origin}`);
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${await token()}`);
    const isMessage = init?.method === 'POST';
    if (isMessage) headers.set('accept', 'application/json');
    const response = await fetch(url, { ...init, headers, redirect: 'error' });
    if (response.body === null) return response;
    if (isMessage && response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      await response.body.cancel();
      throw new Error('the answer is a stream, which was not asked for');
    }
    return new Response(response.body.pipeThrough(byteLimit(MOST_BYTES)), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function byteLimit(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > most) controller.error(new Error(`The answer is longer than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
