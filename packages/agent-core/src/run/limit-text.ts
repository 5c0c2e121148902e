/** Text cut to a number of bytes of UTF-8, on a character boundary, with a last line that says so. */
export function limitText(
  text: string,
  maxBytes: number,
): { readonly text: string; readonly bytes: number; readonly truncated: boolean } {
  const buffer = Buffer.from(text);
  const bytes = buffer.length;
  if (bytes <= maxBytes) return { text, bytes, truncated: false };
  const note = `\n[cut: ${bytes} bytes in all; ask for a smaller part]`;
  let end = Math.max(0, maxBytes - Buffer.byteLength(note));
  // A byte 10xxxxxx continues a character: step back to where one begins.
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: buffer.subarray(0, end).toString('utf8') + note, bytes, truncated: true };
}
