/** What the first bytes of a file say about it: `text` as far as they go, or what else it is. */
export type FileKind = { readonly text: true } | { readonly text: false; readonly what: string };

/** How many bytes `fileKind` wants to see. */
export const KIND_BYTES = 8 * 1024;

const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a gzip archive', [0x1f, 0x8b]],
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['a native binary (ELF)', [0x7f, 0x45, 0x4c, 0x46]],
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['UTF-32 text (little endian)', [0xff, 0xfe, 0x00, 0x00]],
  ['UTF-32 text (big endian)', [0x00, 0x00, 0xfe, 0xff]],
  ['UTF-16 text (little endian)', [0xff, 0xfe]],
  ['UTF-16 text (big endian)', [0xfe, 0xff]],
];

/** A signature or a NUL byte makes a file something else than text. */
export function fileKind(head: Uint8Array): FileKind {
  const known = SIGNATURES.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (known !== undefined) return { text: false, what: known[0] };
  const wide = unmarkedUtf16(head);
  if (wide !== undefined) return { text: false, what: `UTF-16 text without a byte order mark (${wide})` };
  return head.includes(0) ? { text: false, what: 'a binary file' } : { text: true };
}

/** Mostly ASCII in two bytes each: a zero at nearly every second place and at none of the others. */
function unmarkedUtf16(head: Uint8Array): string | undefined {
  const zeros = [0, 0];
  const pairs = Math.floor(head.length / 2);
  for (let at = 0; at < pairs * 2; at++) {
    if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (pairs < 4 || Math.max(even, odd) < pairs * 0.9 || Math.min(even, odd) > 0) return undefined;
  return odd > even ? 'little endian' : 'big endian';
}
