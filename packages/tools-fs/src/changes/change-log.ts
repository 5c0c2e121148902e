import type { Change, ChangeDraft } from './change.js';

/** The changes of a session that are still kept, oldest first. */
export interface KeptChanges {
  readonly changes: readonly Change[];
  /** Changes up to this number were dropped for space: nothing up to it can be reverted. 0 where none was. */
  readonly droppedUpTo: number;
}

/** Where file tools put down what they are about to change, so that it can be taken back. */
export interface ChangeLog {
  /** The absolute path of what it keeps in files, where it does: no root may reach it. */
  readonly folder?: string;
  /**
   * Makes a change durable, with the content it replaces, and resolves with its number in the session. The tool makes
   * the change only after that. Rejects, and keeps nothing, when the content cannot be kept or `previous` throws.
   */
  record(change: ChangeDraft, previous?: AsyncIterable<Uint8Array>): Promise<number>;
  /** Takes the last change of a session out again: it was not made after all. No error where there is none of that number. */
  withdraw(sessionId: string, seq: number): Promise<void>;
  /** The changes of a session; none for a session it does not know. */
  list(sessionId: string): Promise<KeptChanges>;
  /**
   * From now on none of the session's changes after this number is dropped for space, until the answer is called: the
   * log takes more space rather.
   */
  hold(sessionId: string, after: number): Promise<() => Promise<void>>;
  /** The content that a change replaced, in pieces. Throws `NotFoundError` where it is not kept. */
  previous(sessionId: string, seq: number): AsyncIterable<Uint8Array>;
  /** Forgets a session with everything kept for it; no error where there is none. */
  remove(sessionId: string): Promise<void>;
}
