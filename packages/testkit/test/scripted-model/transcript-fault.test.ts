import type { ModelMessage } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { transcriptFault } from '../../src/scripted-model/transcript-fault.js';

const user: ModelMessage = { role: 'user', content: 'Go' };
const answer: ModelMessage = { role: 'assistant', content: 'done' };
const asks = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: {} })),
});
const result = (toolCallId: string): ModelMessage => ({ role: 'tool', toolCallId, content: '' });

describe('transcriptFault', () => {
  it.each([
    ['one prompt', [user]],
    ['two prompts in a row', [user, user]],
    ['results in order', [user, asks('a', 'b'), result('a'), result('b'), asks('c'), result('c')]],
    ['a second turn', [user, asks('a'), result('a'), answer, user]],
  ] satisfies [string, ModelMessage[]][])('accepts %s', (_what, messages) => {
    expect(transcriptFault(messages)).toBeUndefined();
  });

  it.each([
    ['nothing', [], 'there is no message'],
    ['a first answer', [answer, user], 'the first message is of the assistant'],
    [
      'a missing result',
      [user, asks('a', 'b'), result('a'), user],
      'comes before the results of the calls b',
    ],
    ['a missing last result', [user, asks('a', 'b'), result('a')], 'the results of the calls b are missing'],
    [
      'results out of order',
      [user, asks('a', 'b'), result('b'), result('a')],
      'answers the call b where a is next',
    ],
    ['a second result', [user, asks('a'), result('a'), result('a')], 'answers the call a, which is not open'],
    ['a result out of nowhere', [user, result('x')], 'answers the call x, which is not open'],
    ['an id used again', [user, asks('a'), result('a'), asks('a'), result('a')], 'uses the call id a again'],
    ['an id twice in a round', [user, asks('a', 'a'), result('a'), result('a')], 'uses the call id a again'],
    ['an empty answer', [user, { role: 'assistant', content: ' \n' }, user], 'message 1 is an empty answer'],
    ['an answer at the end', [user, answer], 'the last message is the model’s own'],
  ] satisfies [string, ModelMessage[], string][])('refuses %s', (_what, messages, fault) => {
    expect(transcriptFault(messages)).toContain(fault);
  });
});
