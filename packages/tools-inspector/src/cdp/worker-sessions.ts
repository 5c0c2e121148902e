import { AsyncResource } from 'node:async_hooks';
import { Session } from 'node:inspector';

/** What arrives from one thread. Both may be called inside other code of this thread. */
export interface ThreadListener {
  message(message: string): void;
  ended(): void;
}

/** The inspector sessions of this process's worker threads, one for each thread. */
export interface WorkerSessions {
  /** Whether there is such a thread, as far as Node has told. */
  has(threadId: number): boolean;
  /** Calls back when such a thread is there; the returned function ends that. */
  onAttached(listener: (threadId: number) => void): () => void;
  /** From now on this hears of the thread, in place of whoever did. */
  listen(threadId: number, listener: ThreadListener): void;
  /** Only where this is who hears of it now. */
  unlisten(threadId: number, listener: ThreadListener): void;
  /** May be called inside other code. Nothing happens where there is no such thread any more. */
  send(threadId: number, message: string): void;
  /** Lets go of all threads. */
  close(): void;
}

/**
 * Opens them. Node attaches to every worker thread there is, and from then on to each that starts. It does so once, and what
 * nobody uses stays as it is: asking anew while threads start or end may crash the process (Node changes the list
 * of its threads while it reads it), and that is just when a worker that was replaced is to be followed.
 */
export function openWorkerSessions(): WorkerSessions {
  const session = new Session();
  const ids = new Map<number, string>();
  const threads = new Map<string, number>();
  const listeners = new Map<number, ThreadListener>();
  const attached = new Set<(threadId: number) => void>();
  let closed = false;

  // V8 delivers these inside whatever code the main thread is running: notes are made, and nothing else.
  session.on('NodeWorker.attachedToWorker', ({ params }) => {
    const threadId = threadIdIn(params.workerInfo.title);
    if (threadId === undefined) return;
    ids.set(threadId, params.sessionId);
    threads.set(params.sessionId, threadId);
    if (attached.size > 0) setImmediate(tellAttached, threadId);
  });
  session.on('NodeWorker.detachedFromWorker', ({ params }) => {
    const threadId = threads.get(params.sessionId);
    if (threadId === undefined) return;
    threads.delete(params.sessionId);
    ids.delete(threadId);
    listeners.get(threadId)?.ended();
  });
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const threadId = threads.get(params.sessionId);
    if (threadId !== undefined) listeners.get(threadId)?.message(params.message);
  });
  // What interrupts other code must not take over that code's async context.
  const tellAttached = AsyncResource.bind((threadId: number) => {
    for (const listener of attached) listener(threadId);
  });
  session.connect();
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

  return {
    has: (threadId) => ids.has(threadId),
    onAttached(listener) {
      attached.add(listener);
      return () => void attached.delete(listener);
    },
    listen: (threadId, listener) => void listeners.set(threadId, listener),
    unlisten(threadId, listener) {
      if (listeners.get(threadId) === listener) listeners.delete(threadId);
    },
    send(threadId, message) {
      const sessionId = ids.get(threadId);
      if (sessionId !== undefined && !closed)
        session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    },
    close() {
      if (closed) return;
      closed = true;
      for (const sessionId of threads.keys()) session.post('NodeWorker.detach', { sessionId });
      session.disconnect();
    },
  };
}

/** A title is `[worker 3] its name`. Its `workerId`, despite the name, only counts what this session was told of. */
function threadIdIn(title: string): number | undefined {
  const match = /^\[worker (\d+)\]/.exec(title);
  return match === null ? undefined : Number(match[1]);
}
