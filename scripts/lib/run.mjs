import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './workspace.mjs';

/** Our environment with the workspace's own tools first on the path: turbo looks for pnpm there. */
export function toolEnvironment(extra = {}) {
  return {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    ...extra,
  };
}

/**
 * Runs a command in the root, or in `cwd`, passes signals on, and resolves with its exit code (128 + n after signal n).
 * On Windows the tools are .cmd files, which need a shell.
 */
export function run(
  command,
  args,
  { stdio = 'inherit', env = toolEnvironment(), cwd = root, onOutput = () => {} } = {},
) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && command !== process.execPath;
    const child = spawn(command, args, { cwd, stdio, env, shell });
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    const pass = (signal) => {
      // Ctrl-C in a terminal reaches the child by itself; a second one would look like impatience.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    const done = () => signals.forEach((signal) => process.off(signal, pass));
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('close', (code, signal) => {
      done();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Output of helpers (install, build) goes to stderr: stdout belongs to the command itself. */
export const quietly = ['ignore', 2, 2];

/** Runs a command and keeps what it prints to itself: resolves with its exit code and its output. */
export async function runCollected(command, args, options = {}) {
  let output = '';
  const code = await run(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput: (chunk) => (output += chunk),
  });
  return { code, output };
}
