import { once } from 'node:events';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

// What fits into the address of a socket in the file system, on Linux; macOS has a little less.
const LONGEST_PATH = 103;

/** The operations API at a path in the file system. Whoever can open that needs no password. */
export class OperationsSocket {
  readonly #server: Server;
  readonly #connections = new WeakSet<Socket>();

  constructor(listener: RequestListener) {
    this.#server = createServer(listener);
    this.#server.on('connection', (connection) => this.#connections.add(connection));
  }

  /** Whether a request came in here. */
  has(connection: Socket): boolean {
    return this.#connections.has(connection);
  }

  /** Listens, for this user of the machine alone. Rejects where the path is too long for a socket. */
  async listen(path: string): Promise<void> {
    const bytes = Buffer.byteLength(path);
    if (bytes > LONGEST_PATH)
      throw new Error(`${path} is ${bytes} bytes long, a socket's path at most ${LONGEST_PATH}`);
    // A process that was killed leaves its own behind; anything else at that path is not ours to remove.
    const left = await lstat(path).catch(() => undefined);
    // Not rm(): once that has removed a socket, Node 20.20 no longer follows links when it looks for modules.
    if (left?.isSocket() === true) await unlink(path);
    this.#server.listen(path);
    await once(this.#server, 'listening');
    await chmod(path, 0o600);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
