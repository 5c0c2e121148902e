import { describe, expect, it, onTestFinished } from 'vitest';
import { onAbort } from '../src/on-abort.js';

describe('onAbort', () => {
  it('calls back once, and not those that stopped, also when another one stopped them meanwhile', () => {
    const { signal, controller } = abortable();
    const called: string[] = [];
    onAbort(signal, () => {
      called.push('first');
      stopThird();
    });
    const stopSecond = onAbort(signal, () => called.push('second'));
    const stopThird = onAbort(signal, () => called.push('third'));
    onAbort(signal, () => called.push('fourth'));
    stopSecond();
    controller.abort();
    controller.abort();
    expect(called).toEqual(['first', 'fourth']);
  });

  it('calls nobody who came when the signal had aborted, nor who comes while it does', () => {
    const { signal, controller } = abortable();
    const called: string[] = [];
    onAbort(signal, () => {
      onAbort(signal, () => called.push('meanwhile'));
      controller.abort();
    });
    controller.abort();
    onAbort(signal, () => called.push('afterwards'));
    expect(called).toEqual([]);
  });

  it('calls the others when one throws, and does not hide what it threw', async () => {
    const { signal, controller } = abortable();
    const thrown = uncaught();
    const called: string[] = [];
    onAbort(signal, () => called.push('before'));
    onAbort(signal, () => {
      throw new Error('a fault of the host');
    });
    onAbort(signal, () => called.push('after'));
    controller.abort();
    expect(called).toEqual(['before', 'after']);
    expect(await thrown).toMatchObject({ message: 'a fault of the host' });
  });
});

function abortable() {
  const controller = new AbortController();
  return { controller, signal: controller.signal };
}

/** What nobody catches next; what listens for that otherwise does not hear of it. */
function uncaught(): Promise<unknown> {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  });
  return new Promise((resolve) => process.once('uncaughtException', resolve));
}
