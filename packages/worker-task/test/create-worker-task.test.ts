import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createWorkerTask } from '../src/index.js';
import type { WorkerTask, WorkerTaskOptions } from '../src/index.js';
import type { TestInput } from './support/test-worker.js';
import source from './support/test-worker.ts?worker-source';

type TestTask = WorkerTask<TestInput, unknown, number>;

describe('createWorkerTask', () => {
  const open: TestTask[] = [];
  afterEach(() => Promise.all(open.splice(0).map((task) => task.close())));

  function openTask(options: Partial<WorkerTaskOptions> = {}): TestTask {
    const task = createWorkerTask<TestInput, unknown, number>({
      source,
      name: 'test task',
      memoryMb: 32,
      ...options,
    });
    open.push(task);
    return task;
  }

  const never = new AbortController().signal;
  const patient = { signal: never, deadlineMs: 20_000 };

  it('answers from another thread and uses it again', async () => {
    const task = openTask();
    const first = await task.run('thread', patient);
    expect(first).toBeGreaterThan(0);
    expect(await task.run('thread', patient)).toBe(first);
  });

  it('hands over progress in order, before the result', async () => {
    const steps: number[] = [];
    const result = await openTask().run('steps', { ...patient, onProgress: (step) => steps.push(step) });
    expect({ steps, result }).toEqual({ steps: [1, 2, 3], result: 'done' });
  });

  it('says what the handler threw and stays usable', async () => {
    const task = openTask();
    await expect(task.run('throw', patient)).rejects.toMatchObject({
      reason: 'failed',
      message: 'no such file: x',
    });
    expect(await task.run('thread', patient)).toBeGreaterThan(0);
  });

  it('ends a loop that never yields at its deadline, and the next run gets a new thread', async () => {
    const task = openTask();
    await expect(task.run('spin', { signal: never, deadlineMs: 100 })).rejects.toMatchObject({
      reason: 'deadline',
    });
    expect(await task.run('thread', patient)).toBeGreaterThan(0);
  });

  it('ends a loop that never yields when the signal aborts, with its reason', async () => {
    const controller = new AbortController();
    const task = openTask();
    const running = task.run('spin', { signal: controller.signal, deadlineMs: 20_000 });
    controller.abort(new Error('cancelled by the operator'));
    await expect(running).rejects.toThrow('cancelled by the operator');
  });

  it('ends a task that needs too much memory, and this process lives on', async () => {
    const task = openTask();
    await expect(task.run('fill', patient)).rejects.toMatchObject({ reason: 'memory' });
    expect(await task.run('thread', patient)).toBeGreaterThan(0);
  });

  it('rejects when the worker exits before it answers', async () => {
    await expect(openTask().run('exit', patient)).rejects.toMatchObject({ reason: 'ended' });
  });

  it('shows the worker nothing of the environment', async () => {
    expect(await openTask().run('environment', patient)).toEqual([]);
  });

  it('lets runs wait for a free thread, and one of them leave', async () => {
    const task = openTask({ threads: 1 });
    const first = new AbortController();
    const second = new AbortController();
    const spinning = task.run('spin', { signal: first.signal, deadlineMs: 20_000 });
    const leaving = task.run('thread', { signal: second.signal, deadlineMs: 20_000 });
    const waiting = task.run('thread', patient);
    second.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
    first.abort(new Error('enough'));
    await expect(spinning).rejects.toThrow('enough');
    expect(await waiting).toBeGreaterThan(0);
  });

  it('uses as many threads at once as it may', async () => {
    const task = openTask({ threads: 2 });
    const [first, second] = await Promise.all([task.run('thread', patient), task.run('thread', patient)]);
    expect(first).not.toBe(second);
  });

  it('keeps the process alive for a task, and not for a thread that idles', async () => {
    const child = fork(fileURLToPath(new URL('./support/exit-child.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx', '--conditions', '@harperfast/source'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: unknown[] = [];
    child.on('message', (message) => said.push(message));
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(said).toEqual(['answered']);
  }, 30_000);

  it('refuses what waits and what comes after close', async () => {
    const task = openTask();
    const running = task.run('spin', patient);
    const waiting = task.run('thread', patient);
    const settled = Promise.allSettled([running, waiting]);
    await task.close();
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'ended' } });
    await expect(task.run('thread', patient)).rejects.toMatchObject({ reason: 'ended' });
  });
});
