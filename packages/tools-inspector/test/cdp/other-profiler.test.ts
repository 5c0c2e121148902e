import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspectorTools } from '../../src/index.js';
import { callTool } from '../support/call-tool.js';

/** A worker that profiles itself in turns, as a server may, and tells how many samples a turn had. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const { Session } = require('node:inspector/promises');
const session = new Session();
session.connect();
function work() {
  const until = Date.now() + 5;
  while (Date.now() < until);
}
const turn = async () => {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 1000 });
  await session.post('Profiler.start');
  for (let done = 0; done < 20; done += 1) {
    work();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { profile } = await session.post('Profiler.stop');
  const own = profile.nodes.filter(({ callFrame }) => ['work', 'turn'].includes(callFrame.functionName)).map(({ id }) => id);
  return { samples: profile.samples.length, busy: profile.samples.filter((id) => own.includes(id)).length };
};
parentPort.on('message', async () => parentPort.postMessage(await turn()));
parentPort.postMessage('ready');
`;

/** Of a turn of 100 ms with a sample each millisecond; a busy machine takes fewer. */
const FEWEST = 20;

describe('a profiler of the worker itself', () => {
  it('keeps its samples before, during and after ours, and over attach and detach', async () => {
    const worker = new Worker(PROGRAM, { eval: true });
    onTestFinished(() => worker.terminate().then(() => undefined));
    await once(worker, 'message');
    const provider = inspectorTools({ workers: () => [{ index: 0, threadId: worker.threadId }] });
    onTestFinished(() => provider.close());
    const call = (name: string, input: object) => callTool(provider, name, { workerIndex: 0, ...input });
    const turn = async () => {
      const answered = once(worker, 'message');
      worker.postMessage('turn');
      const [{ samples, busy }] = await answered;
      expect(samples).toBeGreaterThan(FEWEST);
      expect(busy).toBeGreaterThan(FEWEST);
    };

    await turn();
    await call('inspector_attach', {});
    await turn();
    // Ours begins and ends within one of its turns, and its turns within one of ours.
    const within = turn();
    await call('inspector_profile_cpu', { durationMs: 100 });
    await within;
    const around = call('inspector_profile_cpu', { durationMs: 1000 });
    await turn();
    await turn();
    expect(Number(Object((await around).data).samples)).toBeGreaterThan(FEWEST);
    const detached = turn();
    await call('inspector_detach', {});
    await detached;
    await turn();
  });
});
