import { describe, expect, it } from 'vitest';
import { ConnectionClosedError } from '../../src/cdp/cdp-errors.js';
import { createPendingCommands } from '../../src/cdp/pending-commands.js';

function opened() {
  const sent: number[] = [];
  const pending = createPendingCommands();
  const send = (method: string, timeoutMs?: number) =>
    pending.send((id) => void sent.push(id), method, timeoutMs === undefined ? {} : { timeoutMs });
  return { pending, sent, send };
}

describe('createPendingCommands', () => {
  it('matches answers by id, in whatever order they come', async () => {
    const { pending, sent, send } = opened();
    const both = Promise.all([send('A.a'), send('B.b')]);
    expect(sent).toEqual([1, 2]);
    pending.resolve(2, 'b');
    pending.resolve(1, 'a');
    expect(await both).toEqual(['a', 'b']);
  });

  it('rejects with what the protocol says, whatever it says', async () => {
    const { pending, send } = opened();
    const all = Promise.allSettled([send('A.a'), send('B.b'), send('C.c')]);
    pending.reject(1, { code: -32000, message: 'Not now' });
    pending.reject(2, { code: -32000, message: 'Execution context was destroyed.' });
    pending.reject(3, 'odd');
    expect(await all).toMatchObject([
      { reason: { code: 'inspector_command', message: 'A.a failed: Not now (-32000)' } },
      { reason: { code: 'inspector_closed' } },
      { reason: { code: 'inspector_command', message: 'C.c failed: no reason was given (-32603)' } },
    ]);
  });

  it('ignores an answer that nobody waits for, and one that comes after its deadline', async () => {
    const { pending, send } = opened();
    pending.resolve(7, {});
    pending.reject(7, { code: -32000, message: 'late' });
    await expect(send('A.a', 5)).rejects.toMatchObject({ code: 'inspector_timeout' });
    pending.resolve(1, {});
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
    await expect(pending.send(broken, 'A.a', {})).rejects.toThrow('no socket');
  });
});
