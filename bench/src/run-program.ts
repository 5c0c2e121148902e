import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program in a folder; its output goes to stderr, for stdout belongs to the report. Rejects when it fails. */
export async function runProgram(command: string, args: readonly string[], folder: string): Promise<void> {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  const [code]: unknown[] = await once(child, 'close');
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} failed in ${folder} with exit code ${String(code)}`);
}
