import { EventEmitter, once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CdpConnection } from '../../src/cdp/cdp-connection.js';
import { connectInProcess } from '../../src/cdp/connect-in-process.js';
import { createWorkerConnections } from '../../src/workers/worker-connections.js';
import { startWorker } from '../support/start-worker.js';

const { signal } = new AbortController();

/** Real connections, counted. */
function open(idleMs = 60_000) {
  const opened: CdpConnection[] = [];
  let closed = 0;
  const connections = createWorkerConnections(async ({ threadId }) => {
    const connection = await connectInProcess(threadId, { attachMs: 20 });
    connection.onClose(() => closed++);
    opened.push(connection);
    return connection;
  }, idleMs);
  onTestFinished(() => connections.close());
  return { connections, counts: () => ({ opened: opened.length, closed }) };
}

const target = (threadId: number) => ({ index: 0, threadId });
const one = (connection: CdpConnection) => connection.send('Runtime.evaluate', { expression: '1' });

describe('createWorkerConnections', () => {
  it('shares one connection among sessions and calls, and the last to let go closes it', async () => {
    const { connections, counts } = open();
    const { threadId } = await startWorker();
    await Promise.all([
      connections.attach('s1', target(threadId), signal),
      connections.attach('s2', target(threadId), signal),
      connections.use(target(threadId), one),
    ]);
    expect(connections.holders(threadId)).toEqual(['s1', 's2']);
    expect(await connections.detach('s1', threadId)).toBe(true);
    expect(await connections.detach('s1', threadId)).toBe(false);
    await connections.use(target(threadId), one);
    expect(counts()).toEqual({ opened: 1, closed: 0 });
    expect(await connections.detach('s2', threadId)).toBe(true);
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it('attaches a session once', async () => {
    const { connections } = open();
    const { threadId } = await startWorker();
    expect(await connections.attach('s1', target(threadId), signal)).toBe(true);
    expect(await connections.attach('s1', target(threadId), signal)).toBe(false);
    expect(connections.holders(threadId)).toEqual(['s1']);
  });

  it('closes what a single call has opened, also when the call fails', async () => {
    const { connections, counts } = open();
    const { threadId } = await startWorker();
    await expect(
      connections.use(target(threadId), (connection) => connection.send('No.such')),
    ).rejects.toThrow('No.such failed');
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it('lets go of everything that a session held', async () => {
    const { connections, counts } = open();
    const [first, second] = await Promise.all([startWorker(), startWorker()]);
    await connections.attach('s1', target(first.threadId), signal);
    await connections.attach('s1', target(second.threadId), signal);
    await connections.attach('s10', target(second.threadId), signal);
    await connections.detachSession('s1');
    expect(counts()).toEqual({ opened: 2, closed: 1 });
    expect(connections.holders(second.threadId)).toEqual(['s10']);
  });

  it('holds nothing for a session that was cancelled while it attached', async () => {
    const { connections, counts } = open();
    const { threadId } = await startWorker();
    const cancelled = new AbortController();
    const attached = connections.attach('s1', target(threadId), cancelled.signal);
    cancelled.abort(new Error('cancelled'));
    await expect(attached).rejects.toThrow('cancelled');
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it('forgets a thread that has ended', async () => {
    const { connections, counts } = open();
    const { threadId, terminate } = await startWorker();
    await connections.attach('s1', target(threadId), signal);
    const ended = connections.use(
      target(threadId),
      (connection) => new Promise<void>((resolve) => connection.onClose(resolve)),
    );
    await terminate();
    await ended;
    expect(connections.holders(threadId)).toEqual([]);
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it('tries again after a connection could not be made', async () => {
    const { connections } = open();
    await expect(connections.use(target(987), one)).rejects.toThrow('There is no worker thread 987');
    await expect(connections.use(target(987), one)).rejects.toThrow('There is no worker thread 987');
  });

  it('detaches sessions that do nothing with it for so long, and not while it is used', async () => {
    const { connections, counts } = open(30);
    const { threadId } = await startWorker();
    let closing: Promise<void> = Promise.resolve();
    await connections.attach('s1', target(threadId), signal);
    await connections.use(target(threadId), async (connection) => {
      closing = new Promise((resolve) => connection.onClose(resolve));
      // Longer than the limit, and it is used meanwhile.
      await connection.send('Runtime.evaluate', {
        expression: 'const until = Date.now() + 90; while (Date.now() < until);',
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(connections.holders(threadId)).toEqual(['s1']);
    });
    await closing;
    expect(connections.holders(threadId)).toEqual([]);
    expect(counts()).toEqual({ opened: 1, closed: 1 });
    expect(connections.idled('s1', threadId)).toBe(true);
    await connections.attach('s1', target(threadId), signal);
    expect(connections.idled('s1', threadId)).toBe(false);
  });

  it('closes everything and refuses what comes later', async () => {
    const { connections, counts } = open();
    const { threadId, terminate } = await startWorker();
    await connections.attach('s1', target(threadId), signal);
    await connections.close();
    await connections.close();
    expect(counts()).toEqual({ opened: 1, closed: 1 });
    await expect(connections.use(target(threadId), one)).rejects.toThrow('The inspector tools are closed');
    await terminate();
  });

  it('is closed when a connection that was closing before is closed', async () => {
    const { threadId } = await startWorker();
    const gate = new EventEmitter();
    const order: string[] = [];
    const connections = createWorkerConnections(async (worker) => {
      const connection = await connectInProcess(worker.threadId);
      const close = async () => {
        await once(gate, 'open');
        await connection.close();
        order.push('connection');
      };
      return { ...connection, close };
    }, 60_000);
    const { release } = await connections.hold(target(threadId));
    const released = release();
    const closed = connections.close().then(() => order.push('all'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    gate.emit('open');
    await Promise.all([released, closed]);
    expect(order).toEqual(['connection', 'all']);
  });
});
