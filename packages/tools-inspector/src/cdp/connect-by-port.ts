import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import CDP from 'chrome-remote-interface';
import { z } from 'zod';
import type { CdpConnection } from './cdp-connection.js';
import { InspectorUnavailableError } from './cdp-errors.js';
import { createCommandChannel } from './command-channel.js';

const CONNECT_MS = 3000;
const CLOSE_MS = 500;

const targets = z.array(z.object({ id: z.string() })).min(1);

export interface DebugAddress {
  readonly port: number;
  /** Name or address; 127.0.0.1 by default. */
  readonly host?: string | undefined;
}

/**
 * Opens a CDP session over a debug port, in this process or another one. Rejects with `InspectorUnavailableError` when
 * nothing answers there as an inspector does.
 */
export async function connectByPort({ port, host = '127.0.0.1' }: DebugAddress): Promise<CdpConnection> {
  const url = await findTarget(host, port);
  const client = await withinDeadline(CDP({ target: url, local: true }), url);
  // What closes a socket that has failed is said by `disconnect`.
  const channel = createCommandChannel({
    drain: () => {},
    transmit: (id, method, params) =>
      client.send(method, params, (failed, answer) => {
        if (failed === true) channel.answer(id, { error: answer ?? null });
        else if (failed) channel.end(`The debug port ${host}:${port} closed the connection`);
        else channel.answer(id, { result: answer });
      }),
  });
  client.on('disconnect', () => channel.end(`The debug port ${host}:${port} closed the connection`));
  client.on('event', ({ method, params }) => {
    if (method === 'Debugger.paused') {
      const pause = channel.meet(params);
      if (pause !== undefined) channel.await(pause);
    } else if (method === 'Debugger.resumed') channel.runs();
    channel.event(method, params);
  });

  const { send, on, onClose, setReflex } = channel;
  return {
    send,
    on,
    onClose,
    setReflex,
    async close() {
      if (channel.ended) return;
      // A thread that is busy gets to it later; closing the socket alone would do the same on most versions of Node.
      await send('Debugger.disable', undefined, { timeoutMs: CLOSE_MS }).catch(() => undefined);
      channel.end(`The connection to the debug port ${host}:${port} was closed`);
      await Promise.race([client.close(), after(CLOSE_MS)]);
    },
  };
}

/** The WebSocket URL of the one target there. Node refuses names other than localhost, so it is asked by address. */
async function findTarget(host: string, port: number): Promise<string> {
  try {
    const address = await addressOf(host);
    const base = `${address.includes(':') ? `[${address}]` : address}:${port}`;
    const response = await fetch(`http://${base}/json/list`, { signal: AbortSignal.timeout(CONNECT_MS) });
    const [target] = targets.parse(await response.json());
    // Not the URL it gives: a port that is open on all addresses calls itself 0.0.0.0.
    return `ws://${base}/${target?.id ?? ''}`;
  } catch (error) {
    throw unavailable(host, port, error);
  }
}

async function addressOf(host: string): Promise<string> {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  if (host === '::') return '::1';
  return isIP(host) === 0 ? (await lookup(host)).address : host;
}

async function withinDeadline<T>(connecting: Promise<T>, url: string): Promise<T> {
  const outcome = await Promise.race([
    connecting.catch((error: unknown) => unavailableAt(url, error)),
    after(CONNECT_MS).then(() => unavailableAt(url, new Error(`no answer within ${CONNECT_MS} ms`))),
  ]);
  if (outcome instanceof InspectorUnavailableError) throw outcome;
  return outcome;
}

function unavailable(host: string, port: number, error: unknown): InspectorUnavailableError {
  return unavailableAt(`${host}:${port}`, error);
}

function unavailableAt(where: string, error: unknown): InspectorUnavailableError {
  const cause = error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : undefined;
  return new InspectorUnavailableError(
    `No inspector answers at ${where}: ${cause?.message ?? String(error)}. The worker opens it where threads.debug.startingPort is set`,
  );
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
