import { setTimeout } from 'node:timers/promises';

const DEADLINE_MS = 5000;
const PAUSE_MS = 50;

/** Listens; where the port is still held (by a process just killed) it tries again for 5 s. */
export async function listenRetrying<T>(listen: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await listen();
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken || Date.now() > deadline) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
