import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program to its end; how long that took, its start included, and how many lines it wrote. */
export async function runTimed(
  command: string,
  args: readonly string[],
): Promise<{ ms: number; found: number }> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let found = 0;
  child.stdout.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) found++;
  });
  const [code]: unknown[] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with exit code ${String(code)}`);
  return { ms: performance.now() - start, found };
}
