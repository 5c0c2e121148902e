import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** What a body is: text, or bytes that are not shown. */
export type DecodedBody = { readonly text: string; readonly charset: string } | { readonly binary: string };

const TEXT_TYPE =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|x-yaml)|application\/(x-ndjson|jsonl|javascript|ecmascript|typescript|x-www-form-urlencoded|graphql|graphql-response\+json|sql|toml|x-sh)|image\/svg\+xml)$/;
const SNIFF_BYTES = 8 * 1024;

/**
 * Decodes a body by its type and charset. Types that are not text, encoded content and text with a NUL byte are named
 * and not shown; a body without a type is text when it is valid UTF-8. `truncated` drops a character cut in half.
 */
export function decodeBody(
  bytes: Uint8Array,
  about: { contentType: string | undefined; contentEncoding: string | undefined; truncated: boolean },
): DecodedBody {
  const { type, charset } = parseType(about.contentType);
  const encoding = about.contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    return { binary: `${type ?? 'a body'}, ${encoding}-encoded` };
  if (type !== undefined && !TEXT_TYPE.test(type)) return { binary: type };
  const decoder = openDecoder(charset);
  if (!decoder.encoding.startsWith('utf-16') && bytes.subarray(0, SNIFF_BYTES).includes(0)) {
    return { binary: `${type ?? 'no content type'}, with NUL bytes` };
  }
  const text = decoder.decode(bytes, { stream: about.truncated });
  if (type === undefined && !about.truncated && !isUtf8(bytes))
    return { binary: 'no content type, not UTF-8' };
  return { text, charset: decoder.encoding };
}

function parseType(contentType: string | undefined): { type: string | undefined; charset: string } {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  const charset = parameters.map((parameter) => /^charset=["']?([^"']+)/i.exec(parameter)?.[1]).find(Boolean);
  return { type: type === '' ? undefined : type.toLowerCase(), charset: charset ?? 'utf-8' };
}

/** A charset nobody knows is read as UTF-8: most of it is legible then. */
function openDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
