import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { AlertEntry, Clock } from '@harperfast/agent-core/contracts';
import { createPoster } from '@harperfast/agent-tools-http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhook } from '../../src/notify/create-webhook.js';
import { hang, openReceiver, status } from '../support/open-receiver.js';

/** Its timers fire with the next turn of the event loop, whatever their time is, and are remembered. */
function impatientClock() {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => Date.UTC(2030, 0, 1),
    setTimer(ms, callback) {
      waits.push(ms);
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    },
  };
  return { clock, waits };
}

function open(url: string, timeoutMs = 5000) {
  const { clock, waits } = impatientClock();
  const errors: string[] = [];
  const logged = new EventEmitter();
  const webhook = createWebhook({
    poster: createPoster({ url, timeoutMs }),
    clock,
    node: 'node-1',
    origin: new URL(url).origin,
    logger: {
      error(message) {
        errors.push(message);
        logged.emit('error-line');
      },
    },
  });
  onTestFinished(() => webhook.close());
  const alert = (text: string, seq = 1): AlertEntry => ({ kind: 'alert', seq, at: 1, level: 'info', text });
  return {
    webhook,
    waits,
    errors,
    tell: (text: string, seq?: number) => webhook.observe('ses_1', [alert(text, seq)]),
    failed: async () => {
      if (errors.length === 0) await once(logged, 'error-line', { signal: AbortSignal.timeout(10_000) });
    },
  };
}

const texts = (got: readonly { readonly body: Record<string, unknown> }[]) =>
  got.map(({ body }) => body['text']);

describe('the webhook', () => {
  it('posts in order, as JSON, and waits for nothing', async () => {
    const receiver = await openReceiver();
    const { tell, errors, waits } = open(receiver.url);
    tell('one', 1);
    tell('two', 2);
    expect(receiver.got).toEqual([]);
    await receiver.received(2);
    expect(receiver.got.map(({ body }) => body)).toEqual([
      {
        id: 'ses_1:1',
        event: 'alert',
        session_id: 'ses_1',
        node: 'node-1',
        at: 1,
        level: 'info',
        text: 'one',
      },
      {
        id: 'ses_1:2',
        event: 'alert',
        session_id: 'ses_1',
        node: 'node-1',
        at: 1,
        level: 'info',
        text: 'two',
      },
    ]);
    expect(receiver.got[0]?.headers['content-type']).toBe('application/json');
    expect([errors, waits]).toEqual([[], []]);
  });

  it('tries again after 500, 503, 429 and 408, ever later, with the same id, before anything newer', async () => {
    const receiver = await openReceiver(status(500), status(503), status(429), status(408));
    const { tell, errors, waits } = open(receiver.url);
    tell('one', 1);
    tell('two', 2);
    await receiver.received(6);
    expect(texts(receiver.got)).toEqual(['one', 'one', 'one', 'one', 'one', 'two']);
    expect(new Set(receiver.got.slice(0, 5).map(({ body }) => body['id']))).toEqual(new Set(['ses_1:1']));
    expect(waits).toEqual([1_000, 5_000, 20_000, 60_000]);
    expect(errors).toEqual([]);
  });

  it.each([
    ['seconds', '30', 30_000],
    ['a date', 'Tue, 01 Jan 2030 00:00:40 GMT', 40_000],
    ['less than it would wait anyway', '0', 1_000],
    ['a day', '86400', 300_000],
    ['nonsense', 'soon', 1_000],
  ])('waits as long as the receiver asks, within limits: %s', async (_what, value, waited) => {
    const receiver = await openReceiver(status(429, { 'retry-after': value }));
    const { tell, waits } = open(receiver.url);
    tell('one');
    await receiver.received(2);
    expect(waits).toEqual([waited]);
  });

  it.each([400, 401, 404, 410])('gives up at once at %i, says so, and goes on', async (code) => {
    const receiver = await openReceiver(status(code));
    const { tell, errors, waits } = open(receiver.url);
    tell('one', 1);
    tell('two', 2);
    await receiver.received(2);
    expect(texts(receiver.got)).toEqual(['one', 'two']);
    expect(waits).toEqual([]);
    expect(errors).toEqual([
      expect.stringMatching(/not notified of alert in session ses_1: http:\/\/127\.0\.0\.1:\d+ was .*status/),
    ]);
    expect(errors.join(), 'the path of a hook is a secret').not.toContain('/hooks/');
  });

  it('follows no redirect', async () => {
    const elsewhere = await openReceiver();
    const receiver = await openReceiver(status(307, { location: elsewhere.url }));
    const { tell, failed, errors } = open(receiver.url);
    tell('one');
    await failed();
    expect(errors[0]).toContain('status 307');
    expect(elsewhere.got).toEqual([]);
  });

  it('tries again where no answer comes in time', async () => {
    const receiver = await openReceiver(hang);
    const { tell, waits } = open(receiver.url, 200);
    tell('one');
    await receiver.received(2);
    expect(waits).toEqual([1_000]);
  });

  it('gives up after five attempts at a closed port', async () => {
    const reserved = createServer().listen(0, '127.0.0.1');
    await once(reserved, 'listening');
    const { port } = reserved.address() as AddressInfo;
    reserved.close();
    await once(reserved, 'close');
    const { tell, failed, errors, waits } = open(`http://127.0.0.1:${port}/`);
    tell('one');
    await failed();
    expect(errors[0]).toMatch(/asked 5 times, and then: .*ECONNREFUSED/);
    expect(waits).toHaveLength(4);
  });

  it('keeps the latest hundred while the receiver does not keep up, and says what it drops', async () => {
    const receiver = await openReceiver(hang);
    const { tell, errors, webhook } = open(receiver.url);
    tell('first', 0);
    await receiver.received(1);
    for (let seq = 1; seq <= 103; seq++) tell(`number ${seq}`, seq);
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatch(/not notified of alert in session ses_1: 100 newer/);
    await webhook.close();
    expect(errors[3]).toMatch(/^101 notifications were not delivered/);
  });

  it('ends at once with what is in flight, and takes nothing afterwards', async () => {
    const receiver = await openReceiver(hang);
    const { tell, errors, webhook, waits } = open(receiver.url);
    tell('one');
    await receiver.received(1);
    await webhook.close();
    tell('two');
    await webhook.close();
    expect(errors).toEqual([expect.stringMatching(/^1 notifications were not delivered/)]);
    expect([receiver.got.length, waits]).toEqual([1, []]);
  });
});
