import { createFakeClock } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import type { ApplicationTool } from '../../../src/registry/application/application-source.js';
import type { McpSession } from '../../../src/registry/application/mcp-session.js';
import { SessionLostError } from '../../../src/registry/application/mcp-session.js';
import { mcpSource } from '../../../src/registry/application/mcp-source.js';
import { keepingLogger } from '../../support/silent-logger.js';

const caller = { user: 'robot' };
const tool = (name: string): ApplicationTool => ({
  name,
  description: '',
  inputSchema: { type: 'object' },
  annotations: undefined,
});

/** A server of one list, whose sessions do as the test says. */
function setUp() {
  const clock = createFakeClock();
  const logger = keepingLogger();
  const state = {
    url: new URL('http://127.0.0.1:9926/mcp') as URL | undefined,
    tools: [tool('a')] as readonly ApplicationTool[],
    list: (_signal: AbortSignal): Promise<readonly ApplicationTool[]> => Promise.resolve(state.tools),
    call: (name: string, _signal: AbortSignal): Promise<unknown> =>
      Promise.resolve({ content: [{ type: 'text', text: `ran ${name}` }] }),
    open: (): Promise<void> => Promise.resolve(),
    changed: (): void => undefined,
    opened: 0,
    closed: 0,
    lists: 0,
  };
  const source = mcpSource({
    url: () => state.url,
    clock,
    logger,
    async open(_url, { onChanged }): Promise<McpSession> {
      state.opened++;
      state.changed = onChanged;
      await state.open();
      return {
        list: (signal) => {
          state.lists++;
          return state.list(signal);
        },
        call: (name, _input, signal) => state.call(name, signal),
        close: async () => void state.closed++,
      };
    },
  });
  const names = async () => (await source.list(caller)).map(({ name }) => name);
  const call = (name: string, input = {}, signal = new AbortController().signal) =>
    source.call(name, input, { caller, sessionId: 's1', signal });
  return { clock, logger, state, source, names, call };
}

/** A promise that the test keeps open. */
function heldOpen<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('mcpSource', () => {
  it('asks for the list once in two seconds, over one session', async () => {
    const { clock, state, source, names } = setUp();
    expect(await names()).toEqual(['a']);
    const first = await source.list(caller);
    state.tools = [tool('a'), tool('b')];
    await clock.advance(1999);
    expect(await source.list(caller)).toBe(first);
    await clock.advance(1);
    expect(await names()).toEqual(['a', 'b']);
    expect(state).toMatchObject({ opened: 1, lists: 2 });
  });

  it('gives the same list while the server says the same', async () => {
    const { clock, state, source } = setUp();
    const first = await source.list(caller);
    state.tools = [tool('a')];
    await clock.advance(5000);
    expect(await source.list(caller)).toBe(first);
    expect(state.lists).toBe(2);
  });

  it('asks at once when the server says that its tools changed, also while it is being asked', async () => {
    const { state, names } = setUp();
    await names();
    state.tools = [tool('b')];
    state.changed();
    expect(await names()).toEqual(['b']);
    const held = heldOpen<readonly ApplicationTool[]>();
    state.list = () => held.promise;
    state.changed();
    const asked = names();
    await Promise.resolve();
    state.changed();
    held.resolve([tool('b')]);
    await asked;
    state.list = () => Promise.resolve([tool('c')]);
    expect(await names()).toEqual(['c']);
  });

  it('waits a second for a slow server, gives the last list, and takes the answer when it comes', async () => {
    const { clock, state, source, names } = setUp();
    await names();
    const held = heldOpen<readonly ApplicationTool[]>();
    state.list = () => held.promise;
    await clock.advance(2000);
    let answered: unknown;
    const asked = Promise.resolve(source.list(caller)).then((list) => (answered = list));
    await clock.advance(999);
    expect(answered).toBeUndefined();
    await clock.advance(1);
    await asked;
    expect(await names()).toEqual(['a']);
    held.resolve([tool('late')]);
    await clock.advance(0);
    expect(await names()).toEqual(['late']);
  });

  it('gives up on a server that does not answer within 10 s; the list is empty, and the log says so once', async () => {
    const { clock, logger, state, names } = setUp();
    await names();
    state.list = never;
    for (let time = 0; time < 3; time++) {
      await clock.advance(2000);
      const asked = names();
      await clock.advance(10_000);
      await asked;
    }
    expect(await names()).toEqual([]);
    expect(logger.lines).toEqual([
      expect.stringMatching(/^warn: The tools of applications cannot be listed at .*10000 ms/),
    ]);
    state.list = () => Promise.resolve([tool('back')]);
    await clock.advance(2000);
    expect(await names()).toEqual(['back']);
    expect(state.closed).toBe(3);
    expect(clock.pending()).toBe(0);
  });

  it('does not ask more often while there is no server', async () => {
    const { clock, logger, state, names } = setUp();
    state.open = () => Promise.reject(new Error('connect ECONNREFUSED'));
    for (let time = 0; time < 50; time++) expect(await names()).toEqual([]);
    expect(state.opened).toBe(1);
    await clock.advance(2000);
    await names();
    expect(state.opened).toBe(2);
    expect(logger.lines).toHaveLength(1);
  });

  it('opens a new session where the old one is lost, and asks again', async () => {
    const { clock, state, names, call } = setUp();
    await names();
    let lost = true;
    /** Answers that the session is lost, once. */
    const losing =
      <Given extends unknown[], Value>(work: (...given: Given) => Promise<Value>) =>
      (...given: Given): Promise<Value> => {
        if (!lost) return work(...given);
        lost = false;
        return Promise.reject(new SessionLostError('404'));
      };
    state.list = losing(state.list);
    await clock.advance(2000);
    expect(await names()).toEqual(['a']);
    lost = true;
    state.call = losing(state.call);
    expect((await call('a')).text).toBe('ran a');
    expect(state).toMatchObject({ opened: 3, closed: 2 });
  });

  it('asks for the list over a new session where the old one fails, once', async () => {
    const { clock, logger, state, names } = setUp();
    await names();
    let broken = 1;
    const list = state.list;
    state.list = (signal) => (broken-- > 0 ? Promise.reject(new TypeError('fetch failed')) : list(signal));
    await clock.advance(2000);
    expect(await names()).toEqual(['a']);
    expect(state).toMatchObject({ opened: 2, closed: 1 });
    expect(logger.lines).toEqual([]);
    broken = 2;
    await clock.advance(2000);
    expect(await names()).toEqual([]);
    expect(logger.lines).toHaveLength(1);
  });

  it('closes a session that fails to list only when the calls over it have ended', async () => {
    const { clock, state, names, call } = setUp();
    await names();
    const held = heldOpen<unknown>();
    state.call = () => held.promise;
    const running = call('a');
    await clock.advance(2000);
    state.list = () => Promise.reject(new Error('broken'));
    expect(await names()).toEqual([]);
    await clock.advance(0);
    // The second session, over which the list was asked for again, is closed: nobody used it.
    expect(state).toMatchObject({ opened: 2, closed: 1 });
    held.resolve({ content: [{ type: 'text', text: 'done after all' }] });
    expect((await running).text).toBe('done after all');
    await clock.advance(0);
    expect(state.closed).toBe(2);
  });

  it('calls once, and never again by itself, what may have run', async () => {
    const { state, call } = setUp();
    let calls = 0;
    state.call = () => {
      calls++;
      return Promise.reject(new Error('socket hang up'));
    };
    await expect(call('a')).rejects.toThrow('a failed: socket hang up');
    expect(calls).toBe(1);
  });

  it('reports what an answer that is an error says, and asks for the list again', async () => {
    const { state, names, call } = setUp();
    await names();
    state.call = () => Promise.resolve({ isError: true, content: [{ type: 'text', text: 'no dog' }] });
    await expect(call('a')).rejects.toThrow('no dog');
    state.tools = [];
    expect(await names()).toEqual([]);
  });

  it('hands the signal of a call on, and ends with it', async () => {
    const { state, call } = setUp();
    const stop = new AbortController();
    state.call = (_name, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const running = call('a', {}, stop.signal);
    setImmediate(() => stop.abort(new Error('cancelled by the operator')));
    await expect(running).rejects.toThrow('cancelled by the operator');
  });

  it('refuses arguments that say who acts', async () => {
    const { state, call } = setUp();
    await expect(call('a', { nested: { hdb_user: 'admin' } })).rejects.toThrow('hdb_user');
    expect(state.opened).toBe(0);
  });

  it('has no tools, no session and no timers without an address or after it was closed', async () => {
    const { clock, state, source, names, call } = setUp();
    await names();
    state.url = undefined;
    expect(await names()).toEqual([]);
    await expect(call('a')).rejects.toThrow('not there any more');
    expect(state.closed).toBe(1);
    state.url = new URL('http://127.0.0.1:9926/mcp');
    state.list = never;
    await clock.advance(2000);
    const asked = names();
    await source.close();
    await source.close();
    await clock.advance(0);
    expect(await asked).toEqual([]);
    expect(await names()).toEqual([]);
    expect(state).toMatchObject({ opened: 2, closed: 2 });
    expect(clock.pending()).toBe(0);
  });
});
