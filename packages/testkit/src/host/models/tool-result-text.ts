/** What the model reads of a tool's result: its JSON, cut to `maxBytes` on a character boundary and saying so. */
export function toolResultText(
  value: unknown,
  maxBytes: number,
): { text: string; truncated: boolean; totalBytes: number } {
  const json = JSON.stringify(value) ?? 'null';
  const totalBytes = Buffer.byteLength(json);
  if (totalBytes <= maxBytes) return { text: json, truncated: false, totalBytes };
  const marker = `…[truncated; full result is ${totalBytes} bytes]`;
  const room = Math.max(0, maxBytes - Buffer.byteLength(marker));
  // A decoder that is not flushed keeps back the bytes of a character that was cut.
  const head = new TextDecoder().decode(Buffer.from(json).subarray(0, room), { stream: true });
  return { text: head + marker, truncated: true, totalBytes };
}
