import { AsyncResource } from 'node:async_hooks';
import { Session } from 'node:inspector';
import { isMainThread, threadId as ownThreadId } from 'node:worker_threads';
import type { JsonObject } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { CdpConnection } from './cdp-connection.js';
import { InspectorUnavailableError } from './cdp-errors.js';
import { createCommandChannel } from './command-channel.js';
import type { MetPause } from './command-channel.js';
import { shortenPause } from './shorten-pause.js';

/** A thread that is starting attaches a moment later; one that is not there never does. */
const ATTACH_MS = 1000;
const PAUSED = '{"method":"Debugger.paused"';
const RESUMED = '{"method":"Debugger.resumed"';
const ANSWER = /^\{"id":(\d+),"result":/;

type Notice =
  | { readonly kind: 'attached'; readonly sessionId: string; readonly title: string }
  | { readonly kind: 'detached'; readonly sessionId: string }
  | { readonly kind: 'paused'; readonly params: unknown; readonly pause: MetPause | undefined }
  | { readonly kind: 'message'; readonly sessionId: string; readonly message: string };

const answer = z.object({ id: z.int(), result: z.unknown().optional(), error: z.unknown().optional() });
const event = z.object({ method: z.string(), params: z.unknown().optional() });

/**
 * Opens a CDP session with a worker thread of this process, from its main thread: no port, no configuration. Rejects
 * with `InspectorUnavailableError` elsewhere, for the main thread itself, and when there is no such thread.
 */
export async function connectInProcess(
  threadId: number,
  { attachMs = ATTACH_MS }: { readonly attachMs?: number } = {},
): Promise<CdpConnection> {
  if (!isMainThread) {
    throw new InspectorUnavailableError(
      `Worker threads can be inspected in process only from the main thread, and this is thread ${ownThreadId}`,
    );
  }
  if (threadId === ownThreadId) {
    throw new InspectorUnavailableError(`Thread ${threadId} is the main thread, which cannot inspect itself`);
  }
  return openSession(threadId, attachMs);
}

async function openSession(threadId: number, attachMs: number): Promise<CdpConnection> {
  const session = new Session();
  const inbox: Notice[] = [];
  const channel = createCommandChannel({ transmit, drain });
  let workerSession: string | undefined;
  let draining = false;
  let onAttached: (sessionId: string) => void = () => {};
  // What interrupts other code must not take over that code's async context.
  const drainInOwnContext = AsyncResource.bind(drain);

  function transmit(id: number, method: string, params: JsonObject | undefined): void {
    if (workerSession === undefined) return;
    const message = inAscii(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }));
    session.post('NodeWorker.sendMessageToWorker', { sessionId: workerSession, message });
  }

  // V8 delivers these inside whatever code the main thread is running: here a notice is put down, and a thread that
  // has paused is told what to do. Nothing else.
  function take(notice: Notice): void {
    inbox.push(notice);
    if (draining) return;
    draining = true;
    setImmediate(drainInOwnContext);
  }

  function takeMessage(sessionId: string, message: string): void {
    if (sessionId === workerSession && message.startsWith(PAUSED)) {
      const params: unknown = Object(JSON.parse(shortenPause(message))).params;
      take({ kind: 'paused', params, pause: channel.meet(params) });
      return;
    }
    if (sessionId === workerSession && message.startsWith(RESUMED)) channel.runs();
    take({ kind: 'message', sessionId, message });
  }

  function drain(): void {
    draining = false;
    for (let notice = inbox.shift(); notice !== undefined; notice = inbox.shift()) handle(notice);
  }

  function handle(notice: Notice): void {
    if (channel.ended) return;
    if (notice.kind === 'paused') {
      if (notice.pause !== undefined) channel.await(notice.pause);
      channel.event('Debugger.paused', notice.params);
    } else if (notice.kind === 'attached') {
      if (threadIdIn(notice.title) === threadId) {
        workerSession = notice.sessionId;
        onAttached(notice.sessionId);
      } else {
        // Node attaches to every worker thread there is; the others are let go at once.
        session.post('NodeWorker.detach', { sessionId: notice.sessionId });
      }
    } else if (notice.sessionId === workerSession) {
      if (notice.kind === 'detached') end(`Worker thread ${threadId} ended`);
      else receive(notice.message);
    }
  }

  function receive(message: string): void {
    const id = Number(ANSWER.exec(message)?.[1] ?? Number.NaN);
    if (channel.wantsText(id)) {
      channel.answer(id, { result: message });
      return;
    }
    const parsed: unknown = JSON.parse(message);
    const answered = answer.safeParse(parsed);
    if (answered.success) {
      channel.answer(answered.data.id, answered.data);
      return;
    }
    const happened = event.safeParse(parsed);
    if (happened.success) channel.event(happened.data.method, happened.data.params);
  }

  function end(why: string): void {
    if (channel.ended) return;
    session.disconnect();
    channel.end(why);
  }

  session.on('NodeWorker.attachedToWorker', ({ params }) =>
    take({ kind: 'attached', sessionId: params.sessionId, title: params.workerInfo.title }),
  );
  session.on('NodeWorker.detachedFromWorker', ({ params }) =>
    take({ kind: 'detached', sessionId: params.sessionId }),
  );
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) =>
    takeMessage(params.sessionId, params.message),
  );
  session.connect();
  const sessionId = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), attachMs).unref();
    onAttached = (attached) => {
      clearTimeout(timer);
      resolve(attached);
    };
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    // Threads that are up have been announced by now.
    drain();
  });
  if (sessionId === undefined) {
    end(`There is no worker thread ${threadId}`);
    throw new InspectorUnavailableError(
      `There is no worker thread ${threadId} in this process: it may have ended`,
    );
  }

  const { send, on, onClose, setReflex } = channel;
  return {
    send,
    on,
    onClose,
    setReflex,
    async close() {
      drain();
      if (channel.ended) return;
      // Disconnecting alone would leave breakpoints behind, and the next hit would stop the worker for ever.
      transmit(0, 'Debugger.disable', undefined);
      session.post('NodeWorker.detach', { sessionId });
      end(`The connection to worker thread ${threadId} was closed`);
    },
  };
}

/** A title is `[worker 3] its name`. Its `workerId`, despite the name, only counts what this session was told of. */
function threadIdIn(title: string): number | undefined {
  const match = /^\[worker (\d+)\]/.exec(title);
  return match === null ? undefined : Number(match[1]);
}

/** JSON in ASCII: Node 20 cuts the characters of a message to a worker to eight bits. */
function inAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
