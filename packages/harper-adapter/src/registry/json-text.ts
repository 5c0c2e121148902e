/** JSON of any value; `null` where there is none. Whole numbers too large for JSON become texts. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, unlessTooLarge) ?? 'null';
  } catch (error) {
    return JSON.stringify({ note: `It was done, but its answer cannot be shown: ${String(error)}` });
  }
}

function unlessTooLarge(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
