/** The statuses with which providers refuse a request for its size. */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** How providers and servers put it: their codes, and what their messages have in common. */
const WORDINGS: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size/i,
  /(prompt|input|request) is too (long|large)/i,
  /(exceeds?|exceeded|over) .{0,40}\bcontext (window|length|size|limit)/i,
  /max(imum)? (context|prompt) length/i,
  /input token count .{0,40}exceeds/i,
  /reduce the length of the (messages|prompt|input)/i,
];

/** Whether the provider refused the request because it does not fit the model's context window. */
export function saysWindowExceeded(status: number, text: string): boolean {
  return STATUSES.has(status) && (status === 413 || WORDINGS.some((wording) => wording.test(text)));
}
