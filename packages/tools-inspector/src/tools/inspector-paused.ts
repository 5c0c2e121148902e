import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { WorkerDebugger } from '../debugger/worker-debugger.js';
import type { Inspector } from '../inspector.js';
import { describeFrame } from '../probes/describe-probe.js';
import { nameOf } from '../workers/worker-target.js';

const LOOK_MS = 20;

/** `inspector_paused`: which workers a breakpoint holds, and where. */
export function inspectorPaused({ book, limits }: Inspector): Tool {
  return defineTool({
    name: 'inspector_paused',
    description:
      'Shows which workers stand still at a breakpoint, where, with their stack, and for how long yet. Can wait for one to stop.',
    input: z.strictObject({
      waitMs: z
        .int()
        .min(0)
        .max(limits.maxWaitMs)
        .optional()
        .describe('How long to wait where none stands still; 0 by default.'),
    }),
    effect: 'read',
    async execute({ waitMs = 0 }, { signal }) {
      const held = await untilHeld(() => book.held(), waitMs, signal);
      if (held.length === 0) return { text: 'No worker stands still.', data: [] };
      const now = performance.now();
      const data = await Promise.all(
        held.map(async (debug) => ({
          ...debug.worker,
          resumesInMs: Math.max(0, Math.round((debug.hold.at?.until ?? now) - now)),
          stack: await debug.mapStack(debug.hold.at?.stack ?? []),
        })),
      );
      const text = data
        .map(
          (one) =>
            `${nameOf(one)} stands still, and runs on in ${(one.resumesInMs / 1000).toFixed(1)} s at the latest:\n${one.stack.map(describeFrame).join('\n')}`,
        )
        .join('\n\n');
      return { text, data };
    },
  });
}

async function untilHeld(
  look: () => readonly WorkerDebugger[],
  ms: number,
  signal: AbortSignal,
): Promise<readonly WorkerDebugger[]> {
  const end = performance.now() + ms;
  for (let held = look(); ; held = look()) {
    if (held.length > 0 || performance.now() >= end) return held;
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      setTimeout(() => {
        signal.removeEventListener('abort', abort);
        resolve();
      }, LOOK_MS).unref();
      if (signal.aborted) abort();
    });
  }
}
