import type { Generate } from '@harperfast/agent-core';
import type { ModelReply } from '@harperfast/agent-core/contracts';

const call = (name: string, given: object): ModelReply => ({
  toolCalls: [{ name, arguments: given }],
  finishReason: 'tool_calls',
});
const say = (content: string): ModelReply => ({ content, finishReason: 'stop' });

/** What a model would answer, in order: it looks at the shop, and comes back a second later by itself. */
const REPLIES: readonly ModelReply[] = [
  call('http_fetch', { url: '/total' }),
  call('inspector_evaluate', { workerIndex: 0, expression: 'orders' }),
  call('inspector_snapshot', { path: 'server.mjs', line: 7, expressions: ['order'], hits: 1 }),
  call('http_fetch', { url: '/total' }),
  call('inspector_read_hits', { id: 'p1', waitMs: 5000 }),
  call('read_file', { path: 'server.mjs' }),
  call('write_file', { path: 'finding.md', content: 'server.mjs reads order.cuont; the field is count.\n' }),
  call('schedule_followup', { prompt: 'See whether the total is a number now.', in: '1s' }),
  say('The total is NaN because of a misspelt field. I will look again.'),
  call('http_fetch', { url: '/total' }),
  call('alert_operator', { level: 'warning', message: 'The total of the shop is still NaN: see finding.md' }),
  call('list_followups', {}),
  say('Still NaN; the operator knows.'),
];

/** A model that costs nothing. With a real one, this is the call of its API. */
export function scriptedReplies(): Generate {
  const replies = [...REPLIES];
  return async () => {
    const reply = replies.shift();
    if (reply === undefined) throw new Error('The script has no more replies');
    return { ...reply, usage: { promptTokens: 1, completionTokens: 1 } };
  };
}
