import { AsyncResource } from 'node:async_hooks';
import { isMainThread, threadId as ownThreadId } from 'node:worker_threads';
import type { JsonObject } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { CdpConnection } from './cdp-connection.js';
import { InspectorUnavailableError } from './cdp-errors.js';
import { createCommandChannel } from './command-channel.js';
import type { MetPause } from './command-channel.js';
import { shortenPause } from './shorten-pause.js';
import { openWorkerSessions } from './worker-sessions.js';
import type { ThreadListener, WorkerSessions } from './worker-sessions.js';

/** A thread that is starting attaches a moment later; one that is not there never does. */
const ATTACH_MS = 1000;
/** Notices that are handled in one turn of the event loop. */
const MOST_IN_A_TURN = 50;
const PAUSED = '{"method":"Debugger.paused"';
const RESUMED = '{"method":"Debugger.resumed"';
const SWITCH = /^(\w+)\.(enable|disable)$/;
/** Of what V8 evaluates for us, one for each condition and expression: nobody asks for them. */
const UNNAMED_SCRIPT = /^\{"method":"Debugger\.scriptParsed","params":\{"scriptId":"\d+","url":"",/;
const ANSWER = /^\{"id":(\d+),"result":/;

type Notice =
  | { readonly kind: 'ended' }
  | { readonly kind: 'paused'; readonly params: unknown; readonly pause: MetPause | undefined }
  | { readonly kind: 'message'; readonly message: string };

const answer = z.object({ id: z.int(), result: z.unknown().optional(), error: z.unknown().optional() });
const event = z.object({ method: z.string(), params: z.unknown().optional() });

export interface InProcessOptions {
  /** How long to wait for a thread that is starting, in milliseconds. */
  readonly attachMs?: number;
}

/** Opens connections to the worker threads of this process, any number one after the other; one at a time for a thread. */
export interface InProcessConnector {
  connect(threadId: number, options?: InProcessOptions): Promise<CdpConnection>;
  /** Lets go of all threads; connections that are open end. */
  close(): void;
}

export function createInProcessConnector(): InProcessConnector {
  let sessions: WorkerSessions | undefined;
  let lastId = 0;
  const open = new Set<CdpConnection>();

  return {
    async connect(threadId, { attachMs = ATTACH_MS } = {}) {
      if (!isMainThread) {
        throw new InspectorUnavailableError(
          `Worker threads can be inspected in process only from the main thread, and this is thread ${ownThreadId}`,
        );
      }
      if (threadId === ownThreadId) {
        throw new InspectorUnavailableError(
          `Thread ${threadId} is the main thread, which cannot inspect itself`,
        );
      }
      sessions ??= openWorkerSessions();
      if (!(await isThere(sessions, threadId, attachMs))) {
        throw new InspectorUnavailableError(
          `There is no worker thread ${threadId} in this process: it may have ended`,
        );
      }
      const connection = openConnection(sessions, threadId, () => (lastId += 1));
      open.add(connection);
      connection.onClose(() => open.delete(connection));
      return connection;
    },
    close() {
      for (const connection of open) void connection.close();
      sessions?.close();
      sessions = undefined;
    },
  };
}

/**
 * Opens a CDP session with a worker thread of this process, from its main thread: no port, no configuration. Rejects
 * with `InspectorUnavailableError` elsewhere, for the main thread itself, and when there is no such thread.
 */
export async function connectInProcess(
  threadId: number,
  options: InProcessOptions = {},
): Promise<CdpConnection> {
  const connector = createInProcessConnector();
  try {
    const connection = await connector.connect(threadId, options);
    connection.onClose(() => connector.close());
    return connection;
  } catch (error) {
    connector.close();
    throw error;
  }
}

function isThere(sessions: WorkerSessions, threadId: number, attachMs: number): Promise<boolean> {
  if (sessions.has(threadId)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (there: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(there);
    };
    const timer = setTimeout(() => settle(sessions.has(threadId)), attachMs).unref();
    const stop = sessions.onAttached((attached) => {
      if (attached === threadId) settle(sessions.has(threadId));
    });
  });
}

/** `nextId` numbers what is sent to any thread, so that a late answer to an earlier connection is known as one. */
function openConnection(sessions: WorkerSessions, threadId: number, nextId: () => number): CdpConnection {
  const inbox: Notice[] = [];
  const channel = createCommandChannel({ transmit, drain });
  /** Ids of the channel by those that were sent. */
  const sent = new Map<number, number>();
  /** Domains that are on. */
  const on = new Set<string>();
  let draining = false;
  // What interrupts other code must not take over that code's async context.
  const drainInOwnContext = AsyncResource.bind(drainInTurns);

  function transmit(id: number, method: string, params: JsonObject | undefined): void {
    const own = nextId();
    sent.set(own, id);
    const [, domain, turned] = SWITCH.exec(method) ?? [];
    if (domain !== undefined) on[turned === 'enable' ? 'add' : 'delete'](domain);
    sessions.send(
      threadId,
      inAscii(JSON.stringify({ id: own, method, ...(params === undefined ? {} : { params }) })),
    );
  }

  // V8 delivers these inside whatever code the main thread is running: here a notice is put down, and a thread that
  // has paused is told what to do. Nothing else.
  function take(notice: Notice): void {
    inbox.push(notice);
    if (draining) return;
    draining = true;
    setImmediate(drainInOwnContext);
  }

  const listener: ThreadListener = {
    message(message) {
      if (message.startsWith(PAUSED)) {
        const params: unknown = Object(JSON.parse(shortenPause(message))).params;
        take({ kind: 'paused', params, pause: channel.meet(params) });
        return;
      }
      if (UNNAMED_SCRIPT.test(message)) return;
      if (message.startsWith(RESUMED)) channel.runs();
      take({ kind: 'message', message });
    },
    ended: () => take({ kind: 'ended' }),
  };

  /** What a worker sends in a flood must not keep this thread from what follows of it, and from all else. */
  function drainInTurns(): void {
    draining = inbox.length > MOST_IN_A_TURN;
    for (const notice of inbox.splice(0, MOST_IN_A_TURN)) handle(notice);
    if (draining) setImmediate(drainInOwnContext);
  }

  function drain(): void {
    for (let notice = inbox.shift(); notice !== undefined; notice = inbox.shift()) handle(notice);
  }

  function handle(notice: Notice): void {
    if (channel.ended) return;
    if (notice.kind === 'paused') {
      if (notice.pause !== undefined) channel.await(notice.pause);
      channel.event('Debugger.paused', notice.params);
    } else if (notice.kind === 'ended') end(`Worker thread ${threadId} ended`);
    else receive(notice.message);
  }

  function receive(message: string): void {
    const own = Number(ANSWER.exec(message)?.[1] ?? Number.NaN);
    const id = sent.get(own);
    if (id !== undefined && channel.wantsText(id)) {
      settle(own, { result: message });
      return;
    }
    const parsed: unknown = JSON.parse(message);
    const answered = answer.safeParse(parsed);
    if (answered.success) {
      settle(answered.data.id, answered.data);
      return;
    }
    const happened = event.safeParse(parsed);
    if (happened.success) channel.event(happened.data.method, happened.data.params);
  }

  function settle(own: number, answered: { readonly result?: unknown; readonly error?: unknown }): void {
    const id = sent.get(own);
    sent.delete(own);
    if (id !== undefined) channel.answer(id, answered);
  }

  function end(why: string): void {
    if (channel.ended) return;
    sessions.unlisten(threadId, listener);
    channel.end(why);
  }

  sessions.listen(threadId, listener);
  const { send, onClose, setReflex } = channel;
  return {
    send,
    on: channel.on,
    onClose,
    setReflex,
    async close() {
      drain();
      if (channel.ended) return;
      // The session stays. Breakpoints that stayed as well would stop the thread for ever. No more than what is on: Node
      // aborts the process when a second message follows the first to a thread that is ending just then.
      for (const domain of on) transmit(0, `${domain}.disable`, undefined);
      end(`The connection to worker thread ${threadId} was closed`);
    },
  };
}

/** JSON in ASCII: Node 20 cuts the characters of a message to a worker to eight bits. */
function inAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
