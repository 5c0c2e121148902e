import type { JsonObject } from '@harperfast/agent-core/contracts';

export interface SendOptions {
  /** How long to wait for the answer, in milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
  /** Stops the waiting; the other side is not told. */
  readonly signal?: AbortSignal;
}

/** A Chrome DevTools Protocol session with one thread, whatever carries it. */
export interface CdpConnection {
  /**
   * Sends a command and resolves with its `result`, unchecked. Rejects with `CommandFailedError` when the other side
   * refuses, `CommandTimeoutError`, `ConnectionClosedError` as soon as the other side is gone, or `signal.reason`.
   */
  send(method: string, params?: JsonObject, options?: SendOptions): Promise<unknown>;
  /** Calls back with the parameters of each such event, never inside other code; the returned function ends that. */
  on(event: string, listener: (params: unknown) => void): () => void;
  /** Calls back once, when the connection has ended for whatever reason; at once when it has already. */
  onClose(listener: () => void): () => void;
  /** Lets go of the thread: debugging is off, a paused thread runs on. Commands under way are rejected. */
  close(): Promise<void>;
}
