import { ConflictError, InvalidRequestError } from '../contracts/index.js';
import type { AskEntry } from '../contracts/index.js';

/** Only what is neither harmless nor grave can be granted ahead. */
export function checkGrant(ask: AskEntry, approved: boolean): void {
  if (approved && (ask.effect === 'write' || ask.effect === 'disruptive')) return;
  const why = approved ? `${ask.tool} is ${ask.effect} here` : 'the call was denied';
  throw new InvalidRequestError(
    `'remember' is for approved calls that write or disrupt: ${why}. Decide without it.`,
  );
}

/** The error of a decision that comes too late. */
export function alreadyResolved(approvalId: string): ConflictError {
  return new ConflictError(
    `The approval ${approvalId} has been resolved already, by a decision or a cancel`,
    {
      code: 'already_resolved',
    },
  );
}
