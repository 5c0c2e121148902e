import type { MessagePort } from 'node:worker_threads';
import type { HarperDbServer } from '../harperdb.js';
import type { ToWorker } from '../../link/messages.js';
import type { OperationRegistry } from './operation-registry.js';
import { parseToMain } from '../../link/messages.js';
import { failureAnswer } from './failure-answer.js';

/** The main thread's ends of the ports to the workers. */
export interface WorkerLinks {
  /** Serves a worker until its port closes, which happens when the worker ends. */
  add(port: MessagePort): void;
  /** Tells all workers which operations there are. */
  announce(): void;
}

interface LinksOptions {
  readonly operations: OperationRegistry;
  readonly getUser: HarperDbServer['getUser'];
  readonly complain: (error: unknown) => void;
}

/** Makes the main thread's side; `complain` hears of messages that are none. */
export function createWorkerLinks({ operations, getUser, complain }: LinksOptions): WorkerLinks {
  const ports = new Set<MessagePort>();
  const names = (): ToWorker => ({ type: 'operations', names: [...operations.names()] });
  return {
    add(port) {
      const streams = new Map<number, AsyncIterator<unknown>>();
      const send = (message: ToWorker): void => port.postMessage(message);
      port.on('message', (message: unknown) => {
        serve(message, { operations, getUser, streams, send }).catch(complain);
      });
      port.on('close', () => {
        ports.delete(port);
        for (const stream of streams.values()) leave(stream);
      });
      // The main thread stays for its own reasons.
      port.unref();
      ports.add(port);
      send(names());
    },
    announce() {
      for (const port of ports) port.postMessage(names());
    },
  };
}

interface Serving extends Omit<LinksOptions, 'complain'> {
  readonly streams: Map<number, AsyncIterator<unknown>>;
  readonly send: (message: ToWorker) => void;
}

/** Rejects on a message that is none. */
async function serve(raw: unknown, { operations, getUser, streams, send }: Serving): Promise<void> {
  const message = parseToMain(raw);
  const { id } = message;
  const stream = streams.get(id);
  try {
    if (message.type === 'call') {
      // Looked up here: of who calls, nothing but the name is taken from a worker.
      const user = await getUser(message.username, null, null);
      const result = await operations.run(message.body, user, true);
      const iterator = iteratorOf(result);
      if (iterator === undefined)
        return send({ type: 'answer', id, status: 200, text: JSON.stringify(asObject(result)) });
      streams.set(id, iterator);
      send({ type: 'stream', id });
    } else if (message.type === 'leave') {
      streams.delete(id);
      if (stream !== undefined) leave(stream);
    } else if (stream !== undefined) {
      const { done, value } = await stream.next();
      if (done !== true) return send({ type: 'item', id, text: JSON.stringify(value) });
      streams.delete(id);
      send({ type: 'end', id });
    }
  } catch (error) {
    streams.delete(id);
    send({ type: 'answer', id, ...failureAnswer(error) });
  }
}

/** HarperDB answers a bare value in an object, too. */
function asObject(result: unknown): object {
  return typeof result === 'object' && result !== null ? result : { message: result };
}

function iteratorOf(result: unknown): AsyncIterator<unknown> | undefined {
  return isAsyncIterable(result) ? result[Symbol.asyncIterator]() : undefined;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Not awaited: what waits in `next()` answers `return()` only when that wait is over. */
function leave(stream: AsyncIterator<unknown>): void {
  Promise.resolve(stream.return?.()).catch(() => undefined);
}
