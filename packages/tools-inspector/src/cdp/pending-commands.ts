import { z } from 'zod';
import type { SendOptions } from './cdp-connection.js';
import { CommandFailedError, CommandTimeoutError, ConnectionClosedError } from './cdp-errors.js';

const DEFAULT_TIMEOUT_MS = 5000;

const protocolError = z.object({ code: z.number(), message: z.string() });

interface Command {
  readonly method: string;
  readonly unparsed: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Matches answers to commands, whatever carries them. */
export interface PendingCommands {
  /** Has `transmit` send the command under the id it is given, and waits for the answer. */
  send(transmit: (id: number) => void, method: string, options: SendOptions): Promise<unknown>;
  /** Settles the command with this id, if it still waits. */
  resolve(id: number, result: unknown): void;
  /** `error` is what the protocol has in an answer's field `error`. */
  reject(id: number, error: unknown): void;
  /** Whether the command with this id wants its answer as text. */
  wantsText(id: number): boolean;
  /** Rejects all that wait. */
  rejectAll(error: Error): void;
}

/** `beforeTimeout` may hand over messages that have arrived already but were not received yet. */
export function createPendingCommands(beforeTimeout: () => void = () => {}): PendingCommands {
  const commands = new Map<number, Command>();
  let lastId = 0;

  return {
    send(transmit, method, { timeoutMs = DEFAULT_TIMEOUT_MS, signal, unparsed = false }) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const id = ++lastId;
        const settle = (finish: () => void) => {
          if (!commands.delete(id)) return;
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          finish();
        };
        const onAbort = () => settle(() => reject(signal?.reason));
        const timer = setTimeout(() => {
          beforeTimeout();
          settle(() => reject(new CommandTimeoutError(method, timeoutMs)));
        }, timeoutMs).unref();
        signal?.addEventListener('abort', onAbort, { once: true });
        commands.set(id, {
          method,
          unparsed,
          resolve: (result) => settle(() => resolve(result)),
          reject: (error) => settle(() => reject(error)),
        });
        try {
          transmit(id);
        } catch (error) {
          settle(() => reject(error));
        }
      });
    },
    resolve: (id, result) => commands.get(id)?.resolve(result),
    reject(id, error) {
      const command = commands.get(id);
      command?.reject(commandError(command.method, error));
    },
    wantsText: (id) => commands.get(id)?.unparsed === true,
    rejectAll(error) {
      for (const command of commands.values()) command.reject(error);
    },
  };
}

/**
 * The error an answer of the protocol stands for. A thread that ends answers some of its commands this way, and leaves
 * the others without an answer.
 */
export function commandError(method: string, error: unknown): Error {
  const parsed = protocolError.safeParse(error);
  const { code, message } = parsed.success ? parsed.data : { code: -32603, message: 'no reason was given' };
  return message.startsWith('Execution context was destroyed')
    ? new ConnectionClosedError(`${method} was not answered: the thread ended`)
    : new CommandFailedError(method, code, message);
}
