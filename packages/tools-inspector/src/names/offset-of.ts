/** What ends a line for V8, as in the language. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** The index in a source of a location as V8 tells it, both from 0; `undefined` where there is no such line or column. */
export function offsetOf(source: string, line: number, column: number): number | undefined {
  let start = 0;
  for (let before = 0; before < line; before += 1) {
    LINE_END.lastIndex = start;
    if (LINE_END.exec(source) === null) return undefined;
    start = LINE_END.lastIndex;
  }
  LINE_END.lastIndex = start;
  const end = LINE_END.exec(source)?.index ?? source.length;
  return column <= end - start ? start + column : undefined;
}
