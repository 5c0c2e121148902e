import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperationsSocket } from '../../src/host/server/operations-socket.js';

let folder: string;
let socket: OperationsSocket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'socket-'));
  socket = new OperationsSocket((asked, response) => response.end(String(socket.has(asked.socket))));
});
afterEach(async () => {
  socket.close();
  await rm(folder, { recursive: true });
});

function ask(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, agent: false }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    })
      .once('error', reject)
      .end();
  });
}

describe('the socket of the operations API', () => {
  it('is for the user of the process alone, and knows its connections', async () => {
    const path = join(folder, 'operations-server');
    await socket.listen(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await ask(path)).toBe('true');
  });

  it('takes the place of one that a killed process left', async () => {
    const path = join(folder, 'operations-server');
    const left = new OperationsSocket(() => {});
    await left.listen(path);
    await socket.listen(path);
    expect(await ask(path)).toBe('true');
    left.close();
  });

  it('removes no file that is something else', async () => {
    const path = join(folder, 'notes.txt');
    await writeFile(path, 'mine');
    await expect(socket.listen(path)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  it('says so when the path is too long for a socket', async () => {
    const path = join(folder, 'x'.repeat(100));
    await expect(socket.listen(path)).rejects.toThrow(`bytes long, a socket's path at most`);
  });
});
