import { isUtf8 } from 'node:buffer';
import { KIND_BYTES, fileKind } from './file-kind.js';
import { describeNotUtf8 } from './utf8.js';

/** What the bytes of a whole file are instead of UTF-8 text, or undefined where they are that. */
export function notText(bytes: Buffer): string | undefined {
  const kind = fileKind(bytes.subarray(0, KIND_BYTES));
  if (!kind.text) return kind.what;
  if (bytes.includes(0)) return 'a binary file';
  return isUtf8(bytes) ? undefined : describeNotUtf8(bytes, 0);
}
