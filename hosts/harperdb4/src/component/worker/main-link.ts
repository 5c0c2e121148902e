import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { ToMain, ToWorker } from '../../link/messages.js';
import { parseToWorker } from '../../link/messages.js';
import { fieldOf } from '../field-of.js';

/** What became of a call: an answer in JSON, or items that come one by one, each as JSON. */
export type CallAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | { readonly kind: 'stream'; readonly items: AsyncGenerator<string, void, undefined> };

/** A worker's end of its port to the main thread. */
export interface MainLink {
  /** Whether the main thread has an operation of this name. */
  has(operation: string): boolean;
  /** Rejects when the main thread does not answer in time. `signal`, aborted when the client is done with it, ends a stream. */
  call(body: CallBody, username: string, signal: AbortSignal): Promise<CallAnswer>;
}

export interface CallBody {
  readonly operation: string;
  readonly [field: string]: unknown;
}

/** A stream that ended with an error after its first item; `code` is the status it would have been answered with. */
export class StreamFailed extends Error {
  override readonly name = 'StreamFailed';
  readonly code: number;

  /** `text` is the JSON an operation is answered with. */
  constructor(code: number, text: string) {
    const error = fieldOf(JSON.parse(text), 'error');
    super(typeof error === 'string' ? error : text);
    this.code = code;
  }
}

/** As long as HarperDB itself keeps a request. */
const LONGEST_MS = 120_000;
const FIRST_WORD_MS = 10_000;

type Reply = Exclude<ToWorker, { type: 'operations' }>;

/** Opens the link; resolves when the main thread has told its operations, and rejects when it says nothing. */
export async function openMainLink(port: MessagePort): Promise<MainLink> {
  let names: ReadonlySet<string> = new Set();
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  port.on('message', (raw: unknown) => {
    const message = parseToWorker(raw);
    if (message.type === 'operations') names = new Set(message.names);
    else waiting.get(message.id)?.(message);
  });
  await once(port, 'message', { signal: AbortSignal.timeout(FIRST_WORD_MS) });
  // HarperDB decides when a worker ends.
  port.unref();

  const send = (message: ToMain): void => port.postMessage(message);

  function ask(message: ToMain, signal?: AbortSignal): Promise<Reply> {
    const { id } = message;
    return new Promise<Reply>((resolve, reject) => {
      const fail = (): void => settle(() => reject(new Error('The client has gone')));
      const timer = setTimeout(
        () => settle(() => reject(new Error(`The main thread has not answered in ${LONGEST_MS} ms`))),
        LONGEST_MS,
      );
      timer.unref();
      function settle(how: () => void): void {
        clearTimeout(timer);
        waiting.delete(id);
        signal?.removeEventListener('abort', fail);
        how();
      }
      waiting.set(id, (reply) => settle(() => resolve(reply)));
      signal?.addEventListener('abort', fail, { once: true });
      if (signal?.aborted === true) fail();
      else send(message);
    });
  }

  async function* items(id: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    for (;;) {
      const reply = await ask({ type: 'next', id }, signal);
      if (reply.type === 'answer') throw new StreamFailed(reply.status, reply.text);
      if (reply.type !== 'item') return;
      yield reply.text;
    }
  }

  return {
    has: (operation) => names.has(operation),
    async call(body, username, signal) {
      const id = ++lastId;
      const reply = await ask({ type: 'call', id, username, body: { ...body } });
      if (reply.type === 'answer') return { kind: 'answer', status: reply.status, text: reply.text };
      // By the signal and not when the items are left: those may never be asked for.
      const leave = (): void => send({ type: 'leave', id });
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      return { kind: 'stream', items: items(id, signal) };
    },
  };
}
