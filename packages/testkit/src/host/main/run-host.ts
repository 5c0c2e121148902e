import inspector from 'node:inspector';
import { messageOf } from '../host-error.js';
import { parseDownward, type Upward } from '../supervision.js';
import { openHost, type OpenHost } from './open-host.js';

const LONGEST_END_MS = 5000;

/** Runs the host of this process until its supervisor asks it to stop, goes away, or an operation restarts it. */
export async function runHost(): Promise<void> {
  let host: OpenHost | undefined;
  let ending = false;

  const end = async (why: 'stop' | 'restart', exitCode = 0): Promise<void> => {
    if (ending) return;
    ending = true;
    if (why === 'restart') report({ type: 'restarting' });
    // process.exit() hangs while a thread is paused or writes: only this ends such a process.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), LONGEST_END_MS).unref();
    if (inspector.url() !== undefined) inspector.close();
    const clean = (await host?.close().catch(() => false)) ?? true;
    if (clean) process.exit(exitCode);
    process.kill(process.pid, 'SIGKILL');
  };

  process.on('message', (message) => {
    parseDownward(message);
    void end('stop');
  });
  process.on('disconnect', () => void end('stop'));
  // Ctrl-C reaches the whole group; the supervisor decides.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void end('stop'));

  const root = process.env['ROOTPATH'];
  try {
    if (root === undefined) throw new Error('ROOTPATH must name the root folder of the host');
    host = await openHost({
      root,
      admin: {
        username: process.env['HDB_ADMIN_USERNAME'] ?? 'HDB_ADMIN',
        password: process.env['HDB_ADMIN_PASSWORD'] ?? 'password',
      },
      packageRoot: process.env['PACKAGE_ROOT'],
      builtins: process.env['HARPER_BUILTIN_COMPONENTS'],
      onRestart: () => void end('restart'),
    });
    const { app, operations } = host.ports;
    report({ type: 'ready', pid: process.pid, appPort: app, operationsPort: operations });
  } catch (error) {
    report({ type: 'failed', message: messageOf(error) });
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    await end('stop', 1);
  }
}

function report(message: Upward): void {
  if (process.connected) process.send?.(message);
}
