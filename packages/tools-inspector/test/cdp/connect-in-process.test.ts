import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectInProcess } from '../../src/cdp/connect-in-process.js';
import { connect, evaluate } from '../support/connect.js';
import { rejection } from '../support/rejection.js';
import { startWorker } from '../support/start-worker.js';

describe('connectInProcess', () => {
  it('finds its thread whatever came before it and whatever the others are called', async () => {
    const gone = await startWorker();
    await gone.terminate();
    const threads = await Promise.all([startWorker(), startWorker(), startWorker()]);
    for (const { threadId, ask } of threads) await ask('mark', threadId);
    for (const { threadId } of threads.toReversed()) {
      expect(await evaluate(await connect(threadId), 'mark')).toBe(threadId);
    }
  });

  it('answers every command with its own answer', async () => {
    const connection = await connect((await startWorker()).threadId);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => evaluate(connection, `${index} * 2`)),
    );
    expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => index * 2));
  });

  it('carries every character both ways', async () => {
    const connection = await connect((await startWorker()).threadId);
    const text = 'ASCII, é, €, 日本, 🎈, \u2028 and \ud83c alone';
    expect(await evaluate(connection, JSON.stringify(text))).toBe(text);
    expect(await evaluate(connection, `'${text.replace('\u2028', '')}'.length`)).toBe(text.length - 1);
  });

  it('rejects with what the other side refuses', async () => {
    const connection = await connect((await startWorker()).threadId);
    await expect(connection.send('No.such')).rejects.toMatchObject({
      code: 'inspector_command',
      protocolCode: -32601,
      message: expect.stringContaining('No.such failed:'),
    });
  });

  it('keeps threads apart', async () => {
    const [first, second] = await Promise.all([startWorker(), startWorker()]);
    const connections = await Promise.all([connect(first.threadId), connect(second.threadId)]);
    await evaluate(connections[0], 'globalThis.mine = 1');
    expect(await evaluate(connections[0], 'typeof mine')).toBe('number');
    expect(await evaluate(connections[1], 'typeof mine')).toBe('undefined');
  });

  it('connects twice to one thread, and either can go', async () => {
    const { threadId } = await startWorker();
    const [first, second] = await Promise.all([connect(threadId), connect(threadId)]);
    await first.close();
    expect(await evaluate(second, '1 + 1')).toBe(2);
  });

  it('refuses the main thread, and threads that are not there', async () => {
    await expect(connectInProcess(0)).rejects.toThrow(
      'Thread 0 is the main thread, which cannot inspect itself',
    );
    await expect(connectInProcess(987, { attachMs: 20 })).rejects.toMatchObject({
      code: 'inspector_unavailable',
      message: 'There is no worker thread 987 in this process: it may have ended',
    });
  });

  it('works on the main thread only, and says so elsewhere', async () => {
    const module = new URL('../../src/cdp/connect-in-process.ts', import.meta.url);
    const program = `import { parentPort } from 'node:worker_threads';
      import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
      register();
      const { connectInProcess } = await import(${JSON.stringify(module.href)});
      parentPort.postMessage(await connectInProcess(1).catch((error) => error.message));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
      execArgv: ['--conditions', '@harperfast/source'],
    });
    onTestFinished(async () => void (await worker.terminate()));
    const [message] = await once(worker, 'message');
    expect(message).toContain('only from the main thread, and this is thread');
  });
});

describe('a worker that ends', () => {
  it('rejects what waits, closes the connection, and refuses what comes later', async () => {
    const { threadId, terminate } = await startWorker();
    const connection = await connect(threadId);
    let closes = 0;
    connection.onClose(() => closes++);
    const never = connection.send('Runtime.evaluate', {
      expression: 'new Promise(() => {})',
      awaitPromise: true,
    });
    const rejected = rejection(never);
    await evaluate(connection, '1');
    const began = performance.now();
    await terminate();
    expect(await rejected).toMatchObject({ code: 'inspector_closed' });
    expect(performance.now() - began).toBeLessThan(1000);
    await expect(connection.send('Runtime.evaluate', { expression: '1' })).rejects.toMatchObject({
      code: 'inspector_closed',
    });
    connection.onClose(() => closes++);
    await connection.close();
    expect(closes).toBe(2);
  });
});

describe('a worker that does not answer', () => {
  /** A connection to a worker that is blocked: it may answer a few commands before it is. */
  async function blocked() {
    const started = await startWorker();
    const connection = await connect(started.threadId);
    const release = await started.block();
    let failure: unknown;
    while (failure === undefined) {
      const sent = connection.send('Runtime.evaluate', { expression: '1' }, { timeoutMs: 30 });
      failure = await sent.then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    return { ...started, connection, release, failure };
  }

  it('times the command out, and answers the next one when it can again', async () => {
    const { connection, release, failure } = await blocked();
    expect(failure).toMatchObject({
      code: 'inspector_timeout',
      message: 'Runtime.evaluate was not answered within 30 ms',
    });
    release();
    expect(await evaluate(connection, '2')).toBe(2);
  });

  it('is not waited for after the signal aborts', async () => {
    const { connection } = await blocked();
    const controller = new AbortController();
    const sent = connection.send('Runtime.evaluate', { expression: '1' }, { signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(sent).rejects.toThrow('cancelled');
    await expect(connection.send('Runtime.evaluate', {}, { signal: controller.signal })).rejects.toThrow(
      'cancelled',
    );
  });
});
