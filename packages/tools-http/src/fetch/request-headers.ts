import { InvalidRequestError, ToolDeniedError } from '@harperfast/agent-core/contracts';

/** Header names in lower case with their values. */
export type Headers = ReadonlyMap<string, string>;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
const MAX_BYTES = 16 * 1024;

/** Headers that frame the message, belong to one connection or change what the method means: ours to set, or nobody's. */
const RESERVED = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
  'http2-settings',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

/** Checks the model's headers. Throws for a reserved name, a name given twice, and what HTTP/1.1 cannot carry. */
export function readHeaders(given: Readonly<Record<string, string>> = {}): Headers {
  const headers = new Map<string, string>();
  let bytes = 0;
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase();
    if (!TOKEN.test(name)) throw new InvalidRequestError(`${JSON.stringify(written)} is not a header name.`);
    if (RESERVED.has(name) || name.startsWith('proxy-')) {
      throw new ToolDeniedError(`The header '${written}' cannot be set: leave it out.`);
    }
    if (headers.has(name)) throw new InvalidRequestError(`The header '${name}' is given twice.`);
    if (!VALUE.test(value)) {
      throw new InvalidRequestError(
        `The value of the header '${written}' holds a line break or another character that headers cannot carry.`,
      );
    }
    bytes += name.length + value.length;
    headers.set(name, value);
  }
  if (bytes > MAX_BYTES)
    throw new InvalidRequestError(`The headers have ${bytes} bytes, the limit is ${MAX_BYTES}.`);
  return headers;
}
