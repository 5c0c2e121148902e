import { z } from 'zod';
import type { JsonObject } from '@harperfast/agent-core/contracts';
import type { SendOptions } from './cdp-connection.js';
import { CommandFailedError, CommandTimeoutError, ConnectionClosedError } from './cdp-errors.js';

const DEFAULT_TIMEOUT_MS = 5000;

const answer = z.object({
  id: z.int(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
const event = z.object({ method: z.string(), params: z.unknown().optional() });

interface Command {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Matches answers to commands, for any transport that carries text. */
export interface PendingCommands {
  /** Hands `transmit` the command as text and waits for its answer. */
  send(
    transmit: (message: string) => void,
    method: string,
    params: JsonObject | undefined,
    options: SendOptions,
  ): Promise<unknown>;
  /** Takes a message of the other side: settles the command it answers, or returns the event it is. */
  receive(message: string): { readonly method: string; readonly params: unknown } | undefined;
  /** Rejects all that wait. */
  rejectAll(error: Error): void;
}

/** `beforeTimeout` may hand over messages that have arrived already but were not received yet. */
export function createPendingCommands(beforeTimeout: () => void = () => {}): PendingCommands {
  const commands = new Map<number, Command>();
  let lastId = 0;

  return {
    send(transmit, method, params, { timeoutMs = DEFAULT_TIMEOUT_MS, signal }) {
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
          resolve: (result) => settle(() => resolve(result)),
          reject: (error) => settle(() => reject(error)),
        });
        try {
          transmit(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }));
        } catch (error) {
          settle(() => reject(error));
        }
      });
    },

    receive(message) {
      const parsed: unknown = JSON.parse(message);
      const answered = answer.safeParse(parsed);
      if (answered.success) {
        const { id, result, error } = answered.data;
        const command = commands.get(id);
        if (error === undefined) command?.resolve(result);
        else command?.reject(failure(command.method, error));
        return undefined;
      }
      const happened = event.safeParse(parsed);
      return happened.success ? { method: happened.data.method, params: happened.data.params } : undefined;
    },

    rejectAll(error) {
      for (const command of commands.values()) command.reject(error);
    },
  };
}

/** A thread that ends answers some of its commands this way, and leaves the others without an answer. */
function failure(
  method: string,
  { code, message }: { readonly code: number; readonly message: string },
): Error {
  return message.startsWith('Execution context was destroyed')
    ? new ConnectionClosedError(`${method} was not answered: the thread ended`)
    : new CommandFailedError(method, code, message);
}
