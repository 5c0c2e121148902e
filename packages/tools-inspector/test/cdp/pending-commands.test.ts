import { describe, expect, it } from 'vitest';
import { ConnectionClosedError } from '../../src/cdp/cdp-errors.js';
import { createPendingCommands } from '../../src/cdp/pending-commands.js';

function opened() {
  const sent: string[] = [];
  const pending = createPendingCommands();
  const send = (method: string, timeoutMs?: number) =>
    pending.send(
      (message) => sent.push(message),
      method,
      undefined,
      timeoutMs === undefined ? {} : { timeoutMs },
    );
  return { pending, sent, send };
}

describe('createPendingCommands', () => {
  it('matches answers by id, in whatever order they come', async () => {
    const { pending, sent, send } = opened();
    const both = Promise.all([send('A.a'), send('B.b')]);
    expect(sent.map((message) => JSON.parse(message))).toEqual([
      { id: 1, method: 'A.a' },
      { id: 2, method: 'B.b' },
    ]);
    pending.receive('{"id":2,"result":{"value":"b"}}');
    pending.receive('{"id":1,"result":{"value":"a"}}');
    expect(await both).toEqual([{ value: 'a' }, { value: 'b' }]);
  });

  it('hands events on and ignores what nobody waits for', () => {
    const { pending } = opened();
    expect(pending.receive('{"method":"Debugger.paused","params":{"reason":"other"}}')).toEqual({
      method: 'Debugger.paused',
      params: { reason: 'other' },
    });
    expect(pending.receive('{"id":7,"result":{}}')).toBeUndefined();
    expect(pending.receive('{"id":7,"error":{"code":-32000,"message":"late"}}')).toBeUndefined();
    expect(pending.receive('"odd"')).toBeUndefined();
  });

  it('ignores an answer that comes after its deadline', async () => {
    const { pending, send } = opened();
    await expect(send('A.a', 5)).rejects.toMatchObject({ code: 'inspector_timeout' });
    pending.receive('{"id":1,"result":{}}');
  });

  it('rejects all that waits when the other side is gone', async () => {
    const { pending, send } = opened();
    const gone = new ConnectionClosedError('gone');
    const all = Promise.allSettled([send('A.a'), send('B.b')]);
    pending.rejectAll(gone);
    expect(await all).toEqual([
      { status: 'rejected', reason: gone },
      { status: 'rejected', reason: gone },
    ]);
  });

  it('rejects what could not be sent', async () => {
    const pending = createPendingCommands();
    const broken = () => {
      throw new Error('no socket');
    };
    await expect(pending.send(broken, 'A.a', {}, {})).rejects.toThrow('no socket');
  });
});
