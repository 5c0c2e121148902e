import { z } from 'zod';
import { STACK_FRAMES } from '../lens/scope-view.js';
import type { StackFrame } from '../probes/hit.js';
import type { Place } from '../probes/probe.js';
import type { LoadedScript } from './loaded-script.js';

/** Where V8 has something in a script. */
export const location = z.object({
  scriptId: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int().optional(),
});
export type Location = z.infer<typeof location>;

/** `Debugger.paused`, as far as it is recorded. */
export const pausedEvent = z.object({
  reason: z.string(),
  hitBreakpoints: z.array(z.string()).optional(),
  callFrames: z.array(z.object({ callFrameId: z.string(), functionName: z.string(), location })),
  data: z.object({ description: z.string().optional(), value: z.unknown().optional() }).optional(),
});
export type PausedEvent = z.infer<typeof pausedEvent>;

/** Lines and columns count from 1 here; the protocol counts from 0. */
export function placeOf(at: Location, scripts: ReadonlyMap<string, LoadedScript>): Place | undefined {
  const script = scripts.get(at.scriptId);
  if (script === undefined) return undefined;
  return { url: script.url, line: at.lineNumber + 1, column: (at.columnNumber ?? 0) + 1 };
}

/** The innermost frames of a stack. */
export function stackOf(
  { callFrames }: PausedEvent,
  scripts: ReadonlyMap<string, LoadedScript>,
): readonly StackFrame[] {
  return callFrames.slice(0, STACK_FRAMES).map((frame) => {
    const at = placeOf(frame.location, scripts);
    return { function: frame.functionName, ...(at === undefined ? {} : { at }) };
  });
}
