import { calls, fails, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { classifyModelError } from '../../src/run/model-errors.js';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

const upstream = (status: number, more: object = {}) =>
  Object.assign(new Error(`HTTP ${status}`), { upstreamStatus: status, ...more });

describe('classifyModelError', () => {
  const transient = (retryAfterMs?: number) => ({ kind: 'transient', retryAfterMs });
  it.each<[string, unknown, unknown]>([
    ['rate limit', upstream(429), transient()],
    ['overload', upstream(529), transient()],
    ['network', Object.assign(new Error('x'), { code: 'ECONNRESET' }), transient()],
    ['network in a cause', new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } }), transient()],
    ['seconds', upstream(429, { retryAfter: '7' }), transient(7000)],
    ['milliseconds', upstream(429, { retryAfterMs: 250 }), transient(250)],
    ['a date', upstream(503, { retryAfter: new Date(12_000).toUTCString() }), transient(2000)],
    ['a header', upstream(503, { responseHeaders: { 'Retry-After': '3' } }), transient(3000)],
    ['nonsense', upstream(503, { retryAfter: 'soon' }), transient()],
    ['a bad request', upstream(400), { kind: 'final' }],
    ['authentication', upstream(401), { kind: 'final' }],
    ['an error of the host itself', Object.assign(new Error('x'), { statusCode: 500 }), { kind: 'final' }],
    [
      'the window',
      Object.assign(new Error('x'), { contextWindowExceeded: true }),
      { kind: 'window_exceeded' },
    ],
    ['a string', 'boom', { kind: 'final' }],
    ['nothing', undefined, { kind: 'final' }],
  ])('reads %s', (_what, error, expected) => {
    expect(classifyModelError(error, 10_000)).toEqual(expected);
  });
});

describe('a model call that fails for a passing reason', () => {
  it('is made again after a growing wait, and no tool runs twice', async () => {
    const save = recordingTool('save', 'write');
    const { agent, model, clock, quiet } = createFixture(
      [calls({ name: 'save', arguments: {} }), fails(upstream(503)), fails(upstream(429)), reply('ok')],
      { tools: [save.tool] },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await model.requested(2);
    await clock.advance(499);
    expect(model.requestCount).toBe(2);
    await clock.advance(1);
    await model.requested(3);
    await clock.advance(999);
    expect(model.requestCount).toBe(3);
    await clock.advance(1);
    const view = await quiet(sessionId);
    expect(view.header.status).toBe('completed');
    expect(kindsOf(view)).toEqual(['prompt', 'round', 'start', 'result:ok', 'round', 'end']);
    expect(save.seen).toHaveLength(1);
    model.assertDone();
  });

  it('waits as long as the provider says, within bounds', async () => {
    const { agent, model, clock, quiet } = createFixture([
      fails(upstream(429, { retryAfter: '12' })),
      fails(upstream(429, { retryAfter: '86400' })),
      reply('ok'),
    ]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await model.requested(1);
    await clock.advance(11_999);
    expect(model.requestCount).toBe(1);
    await clock.advance(1);
    await model.requested(2);
    await clock.advance(30_000);
    expect((await quiet(sessionId)).header.status).toBe('completed');
  });

  it('ends the run when it keeps failing', async () => {
    const { agent, clock, quiet, model } = createFixture(() => fails(upstream(500)));
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    for (let call = 1; call <= 4; call++) {
      await model.requested(call);
      await clock.advance(30_000);
    }
    const view = await quiet(sessionId);
    expect(view.header).toMatchObject({ stopReason: 'model_error', lastError: { message: 'HTTP 500' } });
    expect(model.requestCount).toBe(5);
  });

  it('does not hold up a cancel', async () => {
    const { agent, model } = createFixture(() => fails(upstream(500)));
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await model.requested(1);
    expect(await agent.cancel(sessionId, 'admin')).toEqual({ cancelled: true });
    expect(model.requestCount).toBe(1);
  });
});
