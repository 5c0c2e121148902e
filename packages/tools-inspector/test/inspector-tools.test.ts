import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeToolProvider } from '@harperfast/agent-testkit/conformance';
import { inspectorTools } from '../src/index.js';
import type { InspectorLimits, WorkerTarget } from '../src/index.js';
import { callTool } from './support/call-tool.js';
import { rejection } from './support/rejection.js';
import { startWorker } from './support/start-worker.js';

describeToolProvider('inspectorTools', () => ({
  provider: inspectorTools({ workers: () => [] }),
  samples: {
    inspector_status: [{}],
    inspector_attach: [{ workerIndex: 0 }, { workerIndex: -1 }],
    inspector_detach: [{ workerIndex: 0 }],
    inspector_evaluate: [
      { workerIndex: 0, expression: '1' },
      { workerIndex: 0, expression: '1', timeoutMs: 50 },
      { workerIndex: 0, expression: '1', sideEffects: true },
    ],
    inspector_snapshot: [{ path: '/a.js', line: 1, expressions: ['a'] }],
    inspector_set_logpoint: [{ path: '/a.js', line: 1, expression: 'a' }],
    inspector_set_breakpoint: [{ path: '/a.js', line: 1, condition: 'a' }],
    inspector_catch_exceptions: [{}, { caught: true, within: '/a' }],
    inspector_read_hits: [{ id: 'p1' }],
    inspector_remove_breakpoint: [{ id: 'p1' }],
    inspector_paused: [{}, { waitMs: 0 }],
    inspector_resume: [{ workerIndex: 0 }, { workerIndex: 0, step: 'over' }],
    inspector_profile_cpu: [{ workerIndex: 0, durationMs: 100 }],
    inspector_scripts: [{ workerIndex: 0 }, { workerIndex: 0, path: '/a.js', line: 1 }],
  },
}));

/** The tools over real workers, numbered in this order; `list` may be changed. */
async function openTools(count = 2, limits: Partial<InspectorLimits> = {}) {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker()));
  const list: WorkerTarget[] = workers.map(({ threadId }, index) => ({ index, threadId }));
  const provider = inspectorTools({ workers: () => list, limits });
  onTestFinished(() => provider.close());
  const call = (name: string, input: unknown, sessionId = 's1', signal = new AbortController().signal) =>
    callTool(provider, name, input, { sessionId, signal });
  return { workers, list, provider, call };
}

describe('inspector_status', () => {
  it('lists the workers and who is attached', async () => {
    const { list, call } = await openTools();
    list[1] = { ...list[1]!, port: 9231 };
    list.push({ index: 2, threadId: 0 });
    await call('inspector_attach', { workerIndex: 0 });
    await call('inspector_attach', { workerIndex: 1 }, 's2');
    const { text, data } = await call('inspector_status', {});
    expect(text).toBe(
      `worker 0 (thread ${list[0]!.threadId}): attached\nworker 1 (thread ${list[1]!.threadId}), debug port 9231: not attached, held by 1 other session`,
    );
    expect(data).toMatchObject({
      workers: [
        { index: 0, attached: true },
        { index: 1, attached: false },
      ],
      set: [],
    });
  });

  it('says so when there are none', async () => {
    const { call } = await openTools(0);
    expect((await call('inspector_status', {})).text).toBe(
      'The server has no worker threads that could be inspected.',
    );
  });
});

describe('inspector_attach and inspector_detach', () => {
  it('attach and detach, and say what was so already', async () => {
    const { list, call } = await openTools(1);
    const name = `worker 0 (thread ${list[0]!.threadId})`;
    expect((await call('inspector_detach', { workerIndex: 0 })).text).toBe(
      `You were not attached to ${name}.`,
    );
    expect((await call('inspector_attach', { workerIndex: 0 })).text).toBe(`Attached to ${name}.`);
    expect((await call('inspector_attach', { workerIndex: 0 })).text).toBe(
      `You were attached to ${name} already.`,
    );
    expect((await call('inspector_detach', { workerIndex: 0 })).text).toBe(`Detached from ${name}.`);
  });

  it.each(['inspector_attach', 'inspector_detach', 'inspector_evaluate'])(
    '%s refuses the main thread',
    async (name) => {
      const { call } = await openTools(1);
      const input =
        name === 'inspector_evaluate' ? { workerIndex: -1, expression: '1' } : { workerIndex: -1 };
      await expect(call(name, input)).rejects.toMatchObject({
        name: 'ToolDeniedError',
        message: expect.stringContaining('Workers that can be: 0.'),
      });
    },
  );

  it.each(['main', 0.5, null, '0'])('does not let %j past the schema', async (workerIndex) => {
    const { call } = await openTools(0);
    await expect(call('inspector_attach', { workerIndex })).rejects.toMatchObject({ name: 'ZodError' });
  });

  it('detach by themselves when nothing is asked of the worker, and status says so', async () => {
    const { workers, list, call } = await openTools(1, { idleMs: 20 });
    await call('inspector_attach', { workerIndex: 0 });
    const name = `worker 0 (thread ${list[0]!.threadId})`;
    await vi.waitFor(async () =>
      expect((await call('inspector_status', {})).text).toBe(
        `${name}: not attached (you were, until it had not been used for 0.02 s)`,
      ),
    );
    await call('inspector_detach', { workerIndex: 0 });
    expect((await call('inspector_status', {})).text).toBe(`${name}: not attached`);
    await workers[0]!.terminate();
  });

  it('say that a worker is gone that the host still lists', async () => {
    const { workers, call } = await openTools(1);
    await workers[0]!.terminate();
    await expect(call('inspector_attach', { workerIndex: 0 })).rejects.toThrow('it may have ended');
  });
});

describe('inspector_evaluate', () => {
  it('shows the value, attached or not', async () => {
    const { call } = await openTools(1);
    expect(
      (await call('inspector_evaluate', { workerIndex: 0, expression: 'state.rows.get("a")' })).text,
    ).toBe('{ id: 1 }');
    await call('inspector_attach', { workerIndex: 0 });
    expect((await call('inspector_evaluate', { workerIndex: 0, expression: 'state.count' })).text).toBe('1');
  });

  it('refuses what would change something, as a denial that says why', async () => {
    const { list, call } = await openTools(1);
    await expect(
      call('inspector_evaluate', { workerIndex: 0, expression: 'state.count = 2' }),
    ).rejects.toMatchObject({
      name: 'ToolDeniedError',
      message: expect.stringContaining(
        `V8 refused the expression on worker 0 (thread ${list[0]!.threadId}), because it would change something`,
      ),
    });
    expect((await call('inspector_evaluate', { workerIndex: 0, expression: 'state.count' })).text).toBe('1');
  });

  it('stops what takes too long, and the worker serves again', async () => {
    const { workers, call } = await openTools(1);
    const endless = { workerIndex: 0, expression: '(() => { while (true) {} })()', timeoutMs: 50 };
    await expect(call('inspector_evaluate', endless)).rejects.toMatchObject({
      code: 'evaluate_timeout',
      message: expect.stringContaining('took longer than 50 ms'),
    });
    expect(await workers[0]!.ask('double', 4)).toBe(8);
  });

  it('says what is wrong with what is no expression', async () => {
    const { call } = await openTools(1);
    await expect(call('inspector_evaluate', { workerIndex: 0, expression: 'a b' })).rejects.toThrow(
      'This is not one JavaScript expression: SyntaxError:',
    );
  });

  it('ends when the worker ends, at the latest at its own timeout', async () => {
    const { workers, call } = await openTools(1);
    await call('inspector_attach', { workerIndex: 0 });
    const endless = { workerIndex: 0, expression: '(() => { while (true) {} })()', timeoutMs: 500 };
    // V8 may lose a termination that meets the beginning of an evaluation; its timeout then ends both.
    const failed = rejection(call('inspector_evaluate', endless));
    await workers[0]!.terminate();
    expect(await failed).toMatchObject({
      code: expect.stringMatching(/^(inspector_closed|evaluate_timeout)$/),
    });
    expect((await call('inspector_status', {})).text).toContain('not attached');
  });

  it('ends when the tools are closed, and the worker can end', async () => {
    const { workers, provider, call } = await openTools(1);
    await call('inspector_attach', { workerIndex: 0 });
    // As above: where V8 loses the termination, this ends both.
    const endless = { workerIndex: 0, expression: '(() => { while (true) {} })()', timeoutMs: 1500 };
    const failed = rejection(call('inspector_evaluate', endless));
    // By the next turn of the event loop it has been sent.
    await new Promise((resolve) => setImmediate(resolve));
    await provider.close();
    expect(await failed).toMatchObject({ code: 'inspector_closed' });
    await workers[0]!.terminate();
  });

  it('stops waiting when the call is cancelled', async () => {
    const { workers, call } = await openTools(1);
    const release = await workers[0]!.block();
    const controller = new AbortController();
    const evaluated = call(
      'inspector_evaluate',
      { workerIndex: 0, expression: 'state.count' },
      's1',
      controller.signal,
    );
    controller.abort(new Error('cancelled'));
    await expect(evaluated).rejects.toThrow('cancelled');
    release();
  });

  it('follows a worker that was replaced to its new thread', async () => {
    const { workers, list, call } = await openTools(1);
    await call('inspector_attach', { workerIndex: 0 });
    await workers[0]!.terminate();
    const replacement = await startWorker();
    list[0] = { index: 0, threadId: replacement.threadId };
    expect((await call('inspector_evaluate', { workerIndex: 0, expression: 'state.count' })).text).toBe('1');
    expect((await call('inspector_status', {})).text).toBe(
      `worker 0 (thread ${replacement.threadId}): not attached`,
    );
  });
});

describe('letting go', () => {
  it('sessionEnded and close leave workers that can end', async () => {
    const { workers, provider, call } = await openTools();
    await call('inspector_attach', { workerIndex: 0 });
    await call('inspector_attach', { workerIndex: 1 }, 's2');
    await provider.sessionEnded?.('s1');
    expect((await call('inspector_status', {})).text).toContain('not attached\n');
    await workers[0]!.terminate();
    await provider.close();
    await workers[1]!.terminate();
    await expect(call('inspector_evaluate', { workerIndex: 0, expression: '1' })).rejects.toThrow('closed');
  });
});
