/** What the tools of the last round returned, in order. */
export function lastResults({ messages }) {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(at + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
}

/** Where the system prompt says that applications answer. */
export function appUrl({ system }) {
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(system)?.[0];
  if (url === undefined) throw new Error('The system prompt names no application URL');
  return url;
}
