import { z } from 'zod';
import { FUNCTION_NAME, SCRIPT_NAME } from '../lens/recorder-source.js';
import { scopeView, STACK_FRAMES } from '../lens/scope-view.js';

/** An application that has got hold of the memory writes there what it likes: no more than the recorder would. */
const DEPTH = 12;
const ENTRIES = 100;
const LATEST_TIME = 8.64e15;

const frame = z.tuple([
  z.string().max(FUNCTION_NAME).nullable(),
  z.string().max(SCRIPT_NAME).nullable(),
  z.int().nullable(),
  z.int().nullable(),
]);
const recorded = z.union([
  z.object({
    time: z.int().min(0).max(LATEST_TIME),
    stack: z.array(frame).max(STACK_FRAMES),
    view: scopeView,
  }),
  z.object({ spent: z.enum(['rate', 'pause']) }),
]);
const numbered = z.object({ id: z.int() });

/** A hit, or that there will be no more of them, as the recorder hands it over. */
export type Recorded = z.infer<typeof recorded>;
export type RecordedFrame = z.infer<typeof frame>;

/**
 * The recording a text is of, and what it says, which is looked at only when it is asked for. Both throw for what the recorder
 * does not write.
 */
export function readRecorded(text: string): { readonly id: number; readonly read: () => Recorded } {
  const told: unknown = JSON.parse(text);
  return {
    ...numbered.parse(told),
    read() {
      if (!isSmall(told, DEPTH))
        throw new RangeError(`It has more than ${DEPTH} levels, or a list of more than ${ENTRIES}`);
      return recorded.parse(told);
    },
  };
}

function isSmall(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const inside = Object.values(value);
  return depth > 0 && inside.length <= ENTRIES && inside.every((one) => isSmall(one, depth - 1));
}
