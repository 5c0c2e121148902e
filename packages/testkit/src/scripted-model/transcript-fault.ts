import type { ModelMessage } from '@harperfast/agent-core/contracts';

/**
 * Why a strict provider would refuse these messages, or `undefined`. They start with the user; each tool call is
 * answered exactly once, directly after its message and in order; nothing else is a tool message; an answer without
 * calls has text; the last word is not the model's.
 */
export function transcriptFault(messages: readonly ModelMessage[]): string | undefined {
  if (messages.length === 0) return 'there is no message';
  if (messages[0]?.role !== 'user')
    return `the first message is of the ${messages[0]?.role}, not of the user`;
  const seen = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const expected = open.shift();
      if (expected === message.toolCallId) continue;
      return expected === undefined
        ? `message ${index} answers the call ${message.toolCallId}, which is not open`
        : `message ${index} answers the call ${message.toolCallId} where ${expected} is next`;
    }
    if (open.length > 0) return `message ${index} comes before the results of the calls ${open.join(', ')}`;
    if (message.role === 'user') continue;
    open = (message.toolCalls ?? []).map((call) => call.id);
    if (open.length === 0 && message.content.trim() === '') return `message ${index} is an empty answer`;
    for (const id of open) {
      if (seen.has(id)) return `message ${index} uses the call id ${id} again`;
      seen.add(id);
    }
  }
  if (open.length > 0) return `the results of the calls ${open.join(', ')} are missing`;
  return messages.at(-1)?.role === 'assistant' ? 'the last message is the model’s own' : undefined;
}
