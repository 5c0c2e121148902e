import { ConflictError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { PathState } from '../changes/change.js';
import type { Allow } from '../changes/changer.js';
import type { ShowHash } from '../text/show-hash.js';

const HINT = "The file's hash from read_file: the call is refused when the file changed since.";

/** The `expected` field of the tools that change what is there. */
export function expectedField() {
  return z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional()
    .describe(HINT);
}

/** The same where a file may be made: `absent` stands for no file. */
export function expectedOrAbsentField() {
  return z
    .string()
    .regex(/^(?:[0-9a-f]{16}|absent)$/)
    .optional()
    .describe(`${HINT} 'absent': it is refused when there is one.`);
}

/** Throws `ConflictError` when something else stands there than was expected. */
export function requireExpected(expected: string | undefined, label: string, showHash: ShowHash): Allow {
  return (state: PathState) => {
    if (expected === undefined || (expected === 'absent' && state.kind === 'absent')) return;
    if (state.kind === 'file' && showHash(state.hash) === expected) return;
    const now =
      state.kind === 'absent'
        ? 'does not exist any more'
        : expected === 'absent'
          ? 'exists already'
          : 'is not what it was';
    throw new ConflictError(`${label} ${now} (expected ${expected}). Read it again before you change it.`);
  };
}
