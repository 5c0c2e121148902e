import type { JsonObject } from '@harperfast/agent-core/contracts';

export interface SendOptions {
  /** How long to wait for the answer, in milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
  /** Stops the waiting; the other side is not told. */
  readonly signal?: AbortSignal;
  /** Resolves with the whole answer as unparsed text where the transport has it so: for answers of many megabytes. */
  readonly unparsed?: boolean;
}

/** A command of the protocol. */
export interface CdpCommand {
  readonly method: string;
  readonly params?: JsonObject;
}

/** What came of a command that a reflex sent: its result, or why there is none. */
export type CdpAnswer = { readonly result: unknown } | { readonly error: Error };

/**
 * Says at once what happens to a thread that has paused. Both methods may be called inside any other code of this
 * thread, in the middle of a statement: they compute, change nothing but their own state, and never throw.
 */
export interface PauseReflex {
  /** `params` are those of `Debugger.paused`. The commands are sent in this order before anything else is done. */
  paused(params: unknown): {
    readonly commands: readonly CdpCommand[];
    /** Called later, in a turn of its own, with an answer for each command. */
    readonly settled: (answers: readonly CdpAnswer[]) => void;
  };
  resumed(): void;
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
  /** From now on this decides about every pause; there is one at most. */
  setReflex(reflex: PauseReflex): void;
  /** Calls back once, when the connection has ended for whatever reason; at once when it has already. */
  onClose(listener: () => void): () => void;
  /** Lets go of the thread: debugging is off, a paused thread runs on. Commands under way are rejected. */
  close(): Promise<void>;
}
