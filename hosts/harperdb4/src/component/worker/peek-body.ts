import type { IncomingMessage } from 'node:http';

/** Longer bodies are none of the agent's: a prompt has 256 KiB, and JSON may take six bytes for one. */
const LONGEST_BODY = 4 * 1024 * 1024;

/**
 * The JSON body of a request that has not been read, which can be read again afterwards. `undefined` where it is no
 * JSON, too long to be meant for us, or when the client went before all of it came. Where it is `''`, nothing came, and
 * nobody else can read that any more.
 */
export async function peekBody(request: IncomingMessage): Promise<unknown> {
  if (!/\bjson\b/i.test(request.headers['content-type'] ?? '')) return undefined;
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > LONGEST_BODY) return undefined;
  // To listen for what an empty body has ends it before its reader comes: where it says that it is empty, nobody listens.
  if (length === 0 && request.headers['transfer-encoding'] === undefined) return undefined;
  const bytes = await peekBytes(request, length);
  if (bytes === undefined) return undefined;
  if (bytes.length === 0) return '';
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** All that was sent; `undefined` as soon as it is too long. Whatever was taken out is back in the request. */
function peekBytes(request: IncomingMessage, length: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let total = 0;

    function onReadable(): void {
      // Nothing is read where nothing is there: that would end the stream before its reader listens.
      while (request.readableLength > 0) {
        const part: unknown = request.read();
        if (!Buffer.isBuffer(part)) break;
        parts.push(part);
        total += part.length;
      }
      const all = request.complete || (length > 0 && total >= length);
      if (!all && total <= LONGEST_BODY) return;
      const bytes = Buffer.concat(parts);
      // In the same turn as the last read: a stream that has said it ended takes nothing back.
      if (bytes.length > 0) request.unshift(bytes);
      settle(all ? bytes : undefined);
    }
    const onGone = (): void => settle(undefined);

    function settle(bytes: Buffer | undefined): void {
      request.off('readable', onReadable);
      request.off('close', onGone);
      request.off('error', onGone);
      resolve(bytes);
    }
    request.on('readable', onReadable);
    request.once('close', onGone);
    request.once('error', onGone);
  });
}
