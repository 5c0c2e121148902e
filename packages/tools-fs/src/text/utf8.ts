import { isAscii, isUtf8 } from 'node:buffer';

/** The text of the bytes, exactly (a byte order mark is kept), or undefined where they are not valid UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  // Most texts are ASCII, and this is several times faster.
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Where bytes that are not valid UTF-8 stop being so, as a person would look for it. */
export function describeNotUtf8(bytes: Buffer, offset: number): string {
  const text = bytes.toString('utf8');
  let index = 0;
  let counted = 0;
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) {
    index += Buffer.byteLength(text.slice(counted, at));
    counted = at;
    // The text may hold that character itself.
    if (bytes[index] === 0xef && bytes[index + 1] === 0xbf && bytes[index + 2] === 0xbd) continue;
    const byte = (bytes[index] ?? 0).toString(16).padStart(2, '0');
    return `not valid UTF-8 at byte ${offset + index} (0x${byte}): Latin-1, Windows-1252 or another encoding`;
  }
  return 'not valid UTF-8';
}

/** The largest cut up to `at` that does not divide a UTF-8 character. */
export function cutBefore(bytes: Uint8Array, at: number): number {
  let cut = at;
  while (cut > 0 && at - cut < 3 && isContinuation(bytes[cut])) cut--;
  return isContinuation(bytes[cut]) ? at : cut;
}

/** The smallest index from `at` at which a UTF-8 character begins. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start < bytes.length && start - at < 3 && isContinuation(bytes[start])) start++;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
