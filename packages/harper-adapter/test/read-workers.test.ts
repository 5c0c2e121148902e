import { describe, expect, it, onTestFinished } from 'vitest';
import { readWorkers } from '../src/read-workers.js';

function publish(threads: unknown): void {
  Object.assign(globalThis, { threads });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'threads'));
}

describe('readWorkers', () => {
  it('goes by the index of the host, whatever the order, and leaves out what is no worker', () => {
    const inherited = Object.create({ threadId: 9, workerIndex: 0 });
    publish([
      { threadId: 12, workerIndex: 1, name: 'http' },
      inherited,
      { threadId: 3, name: 'front' },
      null,
      7,
    ]);
    expect(readWorkers({})).toEqual([
      { index: 1, threadId: 12 },
      { index: 0, threadId: 9 },
    ]);
  });

  it('follows the list as the host changes it', () => {
    const threads = [{ threadId: 1, workerIndex: 0 }];
    publish(threads);
    threads.splice(0, 1, { threadId: 5, workerIndex: 0 });
    expect(readWorkers({})).toEqual([{ index: 0, threadId: 5 }]);
  });

  it('knows the debug ports where a starting port is set, and only then', () => {
    publish([{ threadId: 5, workerIndex: 2 }]);
    const withDebug = (debug: unknown) => readWorkers({ threads: { debug } });
    expect(withDebug({ startingPort: '9230' })).toEqual([{ index: 2, threadId: 5, port: 9232 }]);
    expect(withDebug({ startingPort: 9230, host: '::1' })).toEqual([
      { index: 2, threadId: 5, port: 9232, host: '::1' },
    ]);
    for (const debug of [true, false, undefined, { port: 9229 }]) {
      expect(withDebug(debug)).toEqual([{ index: 2, threadId: 5 }]);
    }
  });

  it('finds none where the host has no list', () => {
    expect(readWorkers({})).toEqual([]);
    publish('none');
    expect(readWorkers({})).toEqual([]);
  });
});
