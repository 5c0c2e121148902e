import type { ModelMessage } from '../contracts/index.js';

/** Tool results this recent are never shortened: the model is working with them. */
const RECENT_RESULTS = 8;
const LONGEST = 2_000;
const HEAD = 700;
const TAIL = 200;

/** Old tool results cut to their beginning and end. Every message keeps its place, its role and its call. */
export function shortenOldResults(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const results = messages.filter((message) => message.role === 'tool').length;
  let seen = 0;
  return messages.map((message) => {
    if (message.role !== 'tool') return message;
    seen++;
    return results - seen < RECENT_RESULTS ? message : shortenResult(message);
  });
}

function shortenResult(message: Extract<ModelMessage, { role: 'tool' }>): ModelMessage {
  const { content } = message;
  if (content.length <= LONGEST) return message;
  const note = `\n[shortened: ${content.length} characters in all; call the tool again if you need the rest]\n`;
  // The last characters hold the closing delimiter, so the data stays marked as such.
  return Object.freeze({ ...message, content: `${cutAt(content, HEAD)}${note}${content.slice(-TAIL)}` });
}

/** Does not cut a surrogate pair in two. */
function cutAt(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
