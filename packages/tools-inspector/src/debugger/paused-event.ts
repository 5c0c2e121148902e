import { z } from 'zod';
import type { Place } from '../probes/probe.js';
import type { StackFrame } from '../probes/hit.js';

/** Frames that are recorded of a stack. */
const FRAMES = 12;

/** Where V8 has something in a script. */
export const location = z.object({
  scriptId: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int().optional(),
});

/** `Debugger.paused`, as far as it is recorded. */
export const pausedEvent = z.object({
  reason: z.string(),
  hitBreakpoints: z.array(z.string()).optional(),
  callFrames: z.array(z.object({ callFrameId: z.string(), functionName: z.string(), location })),
  data: z.object({ description: z.string().optional(), value: z.unknown().optional() }).optional(),
});
export type PausedEvent = z.infer<typeof pausedEvent>;

/** Lines and columns count from 1 here; the protocol counts from 0. */
export function placeOf(
  at: z.infer<typeof location>,
  scripts: ReadonlyMap<string, string>,
): Place | undefined {
  const url = scripts.get(at.scriptId);
  if (url === undefined) return undefined;
  return { url, line: at.lineNumber + 1, column: (at.columnNumber ?? 0) + 1 };
}

/** The innermost frames of a stack. */
export function stackOf(
  { callFrames }: PausedEvent,
  scripts: ReadonlyMap<string, string>,
): readonly StackFrame[] {
  return callFrames.slice(0, FRAMES).map((frame) => {
    const at = placeOf(frame.location, scripts);
    return { function: frame.functionName, ...(at === undefined ? {} : { at }) };
  });
}
