import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDouble } from '../support/operations-double.js';
import { open, send } from '../support/send.js';

const admin = { username: 'admin', password: 'right' };
const plain = { username: 'plain', password: 'right' };

let double: Awaited<ReturnType<typeof openDouble>>;
const left = withResolvers();
beforeAll(async () => {
  double = await openDouble();
  const register = (name: string, execute: (body: object) => unknown) =>
    double.operations.register({ name, requiresSuperUser: true, execute });
  register('echo', (body) => body);
  register('say', () => 'done');
  register('fail', () => {
    throw Object.assign(new Error('it is full'), {
      statusCode: 409,
      http_resp_msg: { error: 'it is full', code: 'full' },
    });
  });
  register('break', () => {
    throw new Error('a fault');
  });
  register('count', async function* () {
    for (let n = 1; n <= 3; n++) yield { event: 'n', id: n, data: { n } };
  });
  register('stay', () => endless(left.resolve));
  register('fail_later', async function* () {
    yield { event: 'n', data: 1 };
    throw Object.assign(new Error('gone'), { statusCode: 410 });
  });
  // The port delivers in order: whoever asks from now on finds all of them.
  while (!double.link.has('fail_later')) await once(double.port, 'message');
});
afterAll(() => double.close());

function withResolvers() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

async function* endless(ended: () => void): AsyncGenerator<object> {
  try {
    for (let n = 1; ; n++) yield { event: 'n', id: n, data: 'x'.repeat(1000) };
  } finally {
    ended();
  }
}

describe('an operation of the main thread', () => {
  it('is answered with what it answers, as the user HarperDB signed in and not as the body says', async () => {
    const body = { operation: 'echo', text: 'é', hdb_user: { username: 'somebody' } };
    const answer = await send(double.place, body, { as: admin });
    expect(answer).toEqual({
      status: 200,
      body: { ...body, hdb_user: expect.objectContaining({ username: 'admin' }) },
    });
  });

  it('is refused to a plain user, to nobody and to a wrong password', async () => {
    const statuses = [plain, undefined, { ...admin, password: 'wrong' }].map(async (as) =>
      send(double.place, { operation: 'echo' }, as === undefined ? {} : { as }),
    );
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([403, 401, 401]);
  });

  it('fails with the status and the body its error brings, else with 500', async () => {
    expect(await send(double.place, { operation: 'fail' }, { as: admin })).toEqual({
      status: 409,
      body: { error: 'it is full', code: 'full' },
    });
    expect(await send(double.place, { operation: 'break' }, { as: admin })).toEqual({
      status: 500,
      body: { error: 'a fault' },
    });
  });

  it('is answered with an object where it answers a bare value', async () => {
    expect((await send(double.place, { operation: 'say' }, { as: admin })).body).toEqual({ message: 'done' });
  });

  it('may be read by pages of the origins the configuration names', async () => {
    const allowed = await Promise.all(
      ['http://studio.test', 'http://other.test'].map(async (origin) => {
        const headers = { origin, 'content-type': 'application/json' };
        const body = JSON.stringify({ operation: 'echo' });
        const answer = await fetch(`http://127.0.0.1:${double.place.port}/`, {
          method: 'POST',
          headers,
          body,
        });
        return answer.headers.get('access-control-allow-origin');
      }),
    );
    expect(allowed).toEqual(['http://studio.test', null]);
  });

  it('is found when its body comes in pieces', async () => {
    const text = 'x'.repeat(300_000);
    const answer = await send(double.place, { operation: 'echo', text }, { as: admin, chunked: true });
    expect(answer).toMatchObject({ status: 200, body: { text } });
  });

  it('streams events, and items as one list to who does not take events', async () => {
    const events = await send(
      double.place,
      { operation: 'count' },
      { as: admin, accept: 'text/event-stream' },
    );
    expect(events.body).toBe([1, 2, 3].map((n) => `event: n\nid: ${n}\ndata: {"n":${n}}\n\n`).join(''));
    const list = await send(double.place, { operation: 'count' }, { as: admin });
    expect(list.body).toEqual([1, 2, 3].map((n) => ({ event: 'n', id: n, data: { n } })));
  });

  it('ends a stream that fails with an error event', async () => {
    const events = await send(
      double.place,
      { operation: 'fail_later' },
      { as: admin, accept: 'text/event-stream' },
    );
    expect(events.body).toBe('event: n\ndata: 1\n\nevent: error\ndata: {"message":"gone","code":410}\n\n');
  });

  it('hears that the client of its stream has gone', async () => {
    const response = await open(
      double.place,
      { operation: 'stay' },
      { as: admin, accept: 'text/event-stream' },
    );
    await once(response, 'readable');
    response.destroy();
    await left.promise;
  });
});

describe('any other request', () => {
  const bytes = (body: object) => ({ status: 200, body: { left: Buffer.byteLength(JSON.stringify(body)) } });

  it.each([10, 100_000, 3_000_000, 6_000_000])('of about %i bytes is left as it came', async (size) => {
    const body = { operation: 'insert', text: 'x'.repeat(size) };
    for (const chunked of [false, true])
      expect(await send(double.place, body, { as: admin, chunked })).toEqual(bytes(body));
  });

  it('without a body, or with one that is no object, is left too', async () => {
    expect(await send(double.place, [1], { as: admin })).toEqual(bytes([1]));
    const response = await fetch(`http://127.0.0.1:${double.place.port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect(await response.json()).toEqual({ left: 0 });
  });

  it('is not read when it is no JSON', async () => {
    const response = await fetch(`http://127.0.0.1:${double.place.port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/cbor' },
      body: JSON.stringify({ operation: 'echo' }),
    });
    expect(await response.json()).toEqual({ left: 20 });
  });
});

describe('the port to the main thread', () => {
  it('takes nothing that is no message, and serves on', async () => {
    double.port.postMessage({ type: 'call', id: 1, username: 7 });
    expect(await send(double.place, { operation: 'echo' }, { as: admin })).toMatchObject({ status: 200 });
    expect(double.complaints).toHaveLength(1);
  });
});
