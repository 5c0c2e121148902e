import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectByPort } from '../../src/cdp/connect-by-port.js';
import { evaluate } from '../support/connect.js';
import { rejection } from '../support/rejection.js';
import { createApp } from '../support/start-app.js';

async function startOn(host: string) {
  const worker = await (await createApp()).start({ debug: true, host });
  return { worker, port: Number(new URL(worker.url ?? '').port) };
}

describe('connectByPort', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', 'localhost'],
    ['0.0.0.0', '0.0.0.0'],
    ['::1', '::1'],
  ])('reaches a port that is open on %s as %s', async (open, host) => {
    const { port } = await startOn(open);
    const connection = await connectByPort({ port, host });
    expect(await evaluate(connection, "'é, 日本, 🎈'.length + served")).toBe(9);
    await connection.close();
    await expect(connection.send('Runtime.evaluate', {})).rejects.toMatchObject({ code: 'inspector_closed' });
  });

  it('rejects with what the other side refuses, and what waits when it is gone', async () => {
    const { worker, port } = await startOn('127.0.0.1');
    const connection = await connectByPort({ port });
    await expect(connection.send('No.such')).rejects.toMatchObject({ protocolCode: -32601 });
    const never = rejection(
      connection.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true }),
    );
    await worker.terminate();
    expect(await never).toMatchObject({ code: 'inspector_closed' });
  });

  it('says so when nothing answers there, or something that is no inspector', async () => {
    const server = createServer((_request, response) => response.end('hello'));
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(connectByPort({ port })).rejects.toMatchObject({
      code: 'inspector_unavailable',
      message: expect.stringContaining(`No inspector answers at 127.0.0.1:${port}`),
    });
    server.close();
    await once(server, 'close');
    await expect(connectByPort({ port })).rejects.toThrow('ECONNREFUSED');
    await expect(connectByPort({ port, host: 'no.such.host.invalid' })).rejects.toMatchObject({
      code: 'inspector_unavailable',
    });
  });
});
