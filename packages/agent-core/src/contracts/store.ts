import type { Entry } from './entry.js';
import type { SessionHeader, Status } from './session.js';
import { AgentError } from './error.js';

/** One page of a listing; `cursor` is there when more follows. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

/** Where sessions live. Whatever a promise resolved for survives a SIGKILL of the process. */
export interface SessionStore {
  /** Writes the header of a new session (seq 0). Rejects with `StoreConflictError` when the id is taken. */
  create(header: SessionHeader): Promise<void>;
  /**
   * Writes entries and header together or not at all; while the session stays `running` the header may be written
   * later, as long as `list` and the `seq` of `load` are as if it had been. Appends of one session take effect in the order they were made,
   * awaited or not. Rejects with `StoreConflictError` when `after` is not the seq of the last entry and with
   * `NotFoundError` for an unknown session, and leaves other appends of the same moment alone.
   */
  append(id: string, after: number, entries: readonly Entry[], header: SessionHeader): Promise<void>;
  load(
    id: string,
  ): Promise<{ readonly header: SessionHeader; readonly entries: readonly Entry[] } | undefined>;
  /** Entries with a seq greater than `after`, in order, at most `limit`. None for an unknown session. */
  read(id: string, range: { readonly after: number; readonly limit: number }): Promise<readonly Entry[]>;
  /** Headers only, most recently updated first. */
  list(query: {
    readonly status?: Status;
    readonly limit: number;
    readonly cursor?: string;
  }): Promise<Page<SessionHeader>>;
  /** Removes the session and all its entries; no error when there is none. */
  delete(id: string): Promise<void>;
}

/** The store holds something else than the writer assumed. */
export class StoreConflictError extends AgentError {
  override readonly name = 'StoreConflictError';
  constructor(message: string) {
    super('store_conflict', message, { statusCode: 409 });
  }
}
