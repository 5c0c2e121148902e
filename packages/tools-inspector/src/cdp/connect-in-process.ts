import { Session } from 'node:inspector';
import { isMainThread, threadId as ownThreadId } from 'node:worker_threads';
import type { CdpConnection } from './cdp-connection.js';
import { ConnectionClosedError, InspectorUnavailableError } from './cdp-errors.js';
import { createPendingCommands } from './pending-commands.js';

/** A thread that is starting attaches a moment later; one that is not there never does. */
const ATTACH_MS = 1000;

type Notice =
  | { readonly kind: 'attached'; readonly sessionId: string; readonly title: string }
  | { readonly kind: 'detached'; readonly sessionId: string }
  | { readonly kind: 'message'; readonly sessionId: string; readonly message: string };

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
  const listeners = new Map<string, Set<(params: unknown) => void>>();
  const closeListeners = new Set<() => void>();
  const pending = createPendingCommands(drain);
  let workerSession: string | undefined;
  let ended: ConnectionClosedError | undefined;
  let draining = false;
  let onAttached: (sessionId: string) => void = () => {};

  // V8 delivers these inside whatever code the main thread is running: here a notice is put down, nothing else.
  function take(notice: Notice): void {
    inbox.push(notice);
    if (draining) return;
    draining = true;
    setImmediate(drain);
  }

  function drain(): void {
    draining = false;
    for (let notice = inbox.shift(); notice !== undefined; notice = inbox.shift()) handle(notice);
  }

  function handle(notice: Notice): void {
    if (ended !== undefined) return;
    if (notice.kind === 'attached') {
      if (threadIdIn(notice.title) === threadId) {
        workerSession = notice.sessionId;
        onAttached(notice.sessionId);
      } else {
        // Node attaches to every worker thread there is; the others are let go at once.
        session.post('NodeWorker.detach', { sessionId: notice.sessionId });
      }
    } else if (notice.sessionId === workerSession) {
      if (notice.kind === 'detached') end(`Worker thread ${threadId} ended`);
      else dispatch(notice.message);
    }
  }

  function dispatch(message: string): void {
    const event = pending.receive(message);
    if (event === undefined) return;
    for (const listener of listeners.get(event.method) ?? []) {
      try {
        listener(event.params);
      } catch (error) {
        process.emitWarning(`A listener of ${event.method} threw: ${String(error)}`);
      }
    }
  }

  function end(why: string): void {
    if (ended !== undefined) return;
    ended = new ConnectionClosedError(why);
    session.disconnect();
    pending.rejectAll(ended);
    for (const listener of closeListeners) listener();
    closeListeners.clear();
    listeners.clear();
  }

  session.on('NodeWorker.attachedToWorker', ({ params }) =>
    take({ kind: 'attached', sessionId: params.sessionId, title: params.workerInfo.title }),
  );
  session.on('NodeWorker.detachedFromWorker', ({ params }) =>
    take({ kind: 'detached', sessionId: params.sessionId }),
  );
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) =>
    take({ kind: 'message', sessionId: params.sessionId, message: params.message }),
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
  const transmit = (message: string) =>
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: inAscii(message) });

  return {
    send(method, params, options = {}) {
      if (ended !== undefined) return Promise.reject(ended);
      return pending.send(transmit, method, params, options);
    },
    on(event, listener) {
      const own = listeners.get(event) ?? new Set();
      listeners.set(event, own.add(listener));
      return () => void own.delete(listener);
    },
    onClose(listener) {
      if (ended === undefined) closeListeners.add(listener);
      else listener();
      return () => void closeListeners.delete(listener);
    },
    async close() {
      drain();
      if (ended !== undefined) return;
      // Disconnecting alone would leave breakpoints behind, and the next hit would stop the worker for ever.
      transmit(JSON.stringify({ id: 0, method: 'Debugger.disable' }));
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
