const LONG = 262_144;
const KEPT = 8192;

/**
 * A `Debugger.paused` as text, with the text of what was thrown cut where it is very long: V8 writes all of it into the
 * event, and reading that would block this thread. Quotes within texts of JSON are escaped, so that what is looked
 * for is found only where it stands for itself.
 */
export function shortenPause(message: string): string {
  if (message.length <= LONG) return message;
  const data = message.indexOf('"data":{');
  if (data < 0) return message;
  const end = firstAfter(data, [message.lastIndexOf(',"objectId":"'), message.lastIndexOf(',"uncaught":')]);
  for (const key of ['"description":"', '"value":"']) {
    const at = message.indexOf(key, data);
    if (at < 0 || !Number.isFinite(end) || end < at + key.length + KEPT) continue;
    const from = at + key.length;
    return `${message.slice(0, from)}${wholeEscapes(message.slice(from, from + KEPT))}…"${message.slice(end)}`;
  }
  return message;
}

function firstAfter(from: number, positions: readonly number[]): number {
  return Math.min(...positions.filter((at) => at > from));
}

/** Without an escape sequence that was cut in the middle. */
function wholeEscapes(text: string): string {
  for (let cut = 0; cut < 6; cut += 1) {
    const kept = text.slice(0, text.length - cut);
    try {
      JSON.parse(`"${kept}"`);
      return kept;
    } catch {
      // One character less.
    }
  }
  return '';
}
