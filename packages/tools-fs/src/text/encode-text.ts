import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import { type HashedContent, contentOf } from './hash.js';

/** Text as the bytes of a file. Throws `InvalidRequestError` (413 when it is too large) for what UTF-8 cannot carry. */
export async function encodeText(text: string, label: string, maxBytes: number): Promise<HashedContent> {
  const size = Buffer.byteLength(text);
  if (size > maxBytes) {
    throw new InvalidRequestError(
      `${label}: the content has ${size} bytes, the limit is ${maxBytes}. Nothing was written.`,
      { statusCode: 413 },
    );
  }
  const bytes = Buffer.from(text);
  if (text.includes('\uFFFD') ? /\p{Surrogate}/u.test(text) : bytes.includes('\uFFFD')) {
    throw new InvalidRequestError(
      `${label}: the content holds half of a character (a lone surrogate), which UTF-8 cannot carry. Nothing was written.`,
    );
  }
  return contentOf(bytes);
}
