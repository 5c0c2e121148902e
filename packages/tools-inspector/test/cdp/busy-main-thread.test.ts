import { describe, expect, it } from 'vitest';
import { connect, value } from '../support/connect.js';
import { startWorker } from '../support/start-worker.js';

/** Busies this thread, as a long commit would. */
function busy(ms: number, step: () => void = () => {}): void {
  for (const end = performance.now() + ms; performance.now() < end;) step();
}

describe('a busy main thread', () => {
  it('takes an answer that came in time, however late it gets to it', async () => {
    const connection = await connect((await startWorker()).threadId);
    // From this phase of the event loop, timers come before what has arrived is looked at.
    await new Promise((resolve) => setImmediate(resolve));
    const sent = connection.send('Runtime.evaluate', { expression: '1' }, { timeoutMs: 50 });
    busy(150);
    expect(value.parse(await sent).result.value).toBe(1);
  });

  it('is never called back inside its own code', async () => {
    const started = await startWorker();
    const connection = await connect(started.threadId);
    await connection.send('Runtime.enable');
    let inside = false;
    let counter = 0;
    const seen: boolean[] = [];
    connection.on('Runtime.consoleAPICalled', () => {
      seen.push(inside);
      counter += 1;
    });
    const logged = started.ask('log', 300);
    let own = 0;
    inside = true;
    busy(300, () => {
      const before = counter;
      own += 1;
      counter = before + 1;
    });
    inside = false;
    expect(counter).toBe(own);
    await logged;
    await connection.send('Runtime.evaluate', { expression: '1' });
    expect(seen).toHaveLength(300);
    expect(seen.filter(Boolean)).toEqual([]);
  });
});
