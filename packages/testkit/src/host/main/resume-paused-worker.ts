import { Session } from 'node:inspector/promises';

const ATTACH_MS = 500;

/**
 * Lets a worker thread go on that a debugger has paused, whoever's debugger it is. Does nothing to a thread that
 * runs. Resolves in any case, after half a second at most.
 */
export async function resumePausedWorker(threadId: number): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    const attached = new Promise<string | undefined>((resolve) => {
      session.on('NodeWorker.attachedToWorker', ({ params }) => {
        // `workerId` only counts what this session attached to; the thread's id stands in the title: "[worker 3] name".
        if (params.workerInfo.title.startsWith(`[worker ${threadId}]`)) resolve(params.sessionId);
      });
      setTimeout(() => resolve(undefined), ATTACH_MS).unref();
    });
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const sessionId = await attached;
    if (sessionId === undefined) return;
    for (const [id, method] of ['Debugger.enable', 'Debugger.resume', 'Debugger.disable'].entries()) {
      await session.post('NodeWorker.sendMessageToWorker', {
        sessionId,
        message: JSON.stringify({ id: id + 1, method }),
      });
    }
    await session.post('NodeWorker.detach', { sessionId });
  } catch {
    // The thread ended meanwhile, which is what this is for.
  } finally {
    session.disconnect();
  }
}
