import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CdpConnection } from '../../src/cdp/cdp-connection.js';
import { connect, evaluate } from '../support/connect.js';
import { rejection } from '../support/rejection.js';
import { startWorker } from '../support/start-worker.js';
import type { StartedWorker } from '../support/start-worker.js';

/** Sets a breakpoint on the worker's `handle`, and shows that it is hit. */
async function setBreakpoint(connection: CdpConnection, worker: StartedWorker): Promise<void> {
  await connection.send('Debugger.enable');
  const handle = z
    .object({ result: z.object({ objectId: z.string() }) })
    .parse(await connection.send('Runtime.evaluate', { expression: 'handle' })).result;
  await connection.send('Debugger.setBreakpointOnFunctionCall', handle);
  const paused = new Promise((resolve) => connection.on('Debugger.paused', resolve));
  const answered = worker.ask('double', 1);
  await paused;
  await connection.send('Debugger.resume');
  expect(await answered).toBe(2);
}

describe('close', () => {
  it('takes breakpoints away, so that what the worker serves next does not hang', async () => {
    const started = await startWorker();
    const connection = await connect(started.threadId);
    await setBreakpoint(connection, started);
    await connection.close();
    expect(await started.ask('double', 21)).toBe(42);
    await started.terminate();
  });

  it('lets a paused worker run on and end', async () => {
    const started = await startWorker();
    const connection = await connect(started.threadId);
    await connection.send('Debugger.enable');
    const paused = new Promise((resolve) => connection.on('Debugger.paused', resolve));
    await connection.send('Debugger.pause');
    const answered = started.ask('double', 4);
    await paused;
    await connection.close();
    expect(await answered).toBe(8);
    await started.terminate();
  });

  it('rejects what waits, and may be called again', async () => {
    const connection = await connect((await startWorker()).threadId);
    const sent = connection.send('Runtime.evaluate', {
      expression: 'new Promise(() => {})',
      awaitPromise: true,
    });
    const rejected = rejection(sent);
    await connection.close();
    await connection.close();
    expect(await rejected).toMatchObject({ code: 'inspector_closed' });
  });

  it('leaves threads alone that it was not asked about', async () => {
    const [wanted, other] = await Promise.all([startWorker(), startWorker()]);
    const connection = await connect(wanted.threadId);
    const later = await startWorker();
    await evaluate(connection, '1');
    await other.terminate();
    await later.terminate();
    expect(await evaluate(connection, '1')).toBe(1);
  });
});
