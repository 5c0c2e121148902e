import { Session } from 'node:inspector';

/** Makes a worker stand still at this line, and lets it run on at once, with nothing done between. */
export interface BarePause {
  close(): void;
}

/** What no debugger that stops a thread can be quicker than. Resolves when the breakpoint is set. */
export async function openBarePause(threadId: number, script: RegExp, line: number): Promise<BarePause> {
  const session = new Session();
  session.connect();
  const answers = new Map<number, (message: string) => void>();
  let lastId = 0;
  let sessionId = '';

  function transmit(method: string, params?: object): number {
    lastId += 1;
    const message = JSON.stringify({ id: lastId, method, params });
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    return lastId;
  }
  const ask = (method: string, params?: object): Promise<string> =>
    new Promise((resolve) => void answers.set(transmit(method, params), resolve));

  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
    if (message.startsWith('{"method":"Debugger.paused"')) transmit('Debugger.resume');
    else setImmediate(() => answers.get(Number(/^\{"id":(\d+)/.exec(message)?.[1]))?.(message));
  });
  await new Promise<void>((resolve) => {
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      if (!params.workerInfo.title.startsWith(`[worker ${threadId}]`)) return;
      sessionId = params.sessionId;
      resolve();
    });
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
  await ask('Debugger.enable');
  await ask('Debugger.setBreakpointByUrl', { urlRegex: script.source, lineNumber: line - 1 });

  return {
    close() {
      transmit('Debugger.disable');
      session.post('NodeWorker.detach', { sessionId });
      session.disconnect();
    },
  };
}
