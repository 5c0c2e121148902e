import type { z } from 'zod';
import type { Effect } from './effect.js';
import type { Logger } from './logger.js';

/** On whose behalf tools are listed and run: the configured agent user, never the operator who prompts. */
export interface Caller {
  readonly user: string;
}

/** What a tool gets besides its input. */
export interface ToolContext {
  readonly sessionId: string;
  readonly callId: string;
  readonly caller: Caller;
  /** Aborted on cancel, on the tool's deadline and when the agent stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** What a tool answers: `text` for the model, `data` for hosts and tests. */
export interface ToolOutput {
  readonly text: string;
  readonly data?: unknown;
  /** The tool itself left something out, and `text` says so. */
  readonly truncated?: boolean;
  /** Names of `deferred` tools that this session's requests carry from now on. */
  readonly offers?: readonly string[];
}

/**
 * Something the model can call. `input` is a strict object schema without transforms: the one source of types,
 * validation and JSON Schema. `effect` is pure and the one source of gating. `execute` throws `ToolDeniedError` for
 * what it refuses and anything else for failures; it stops soon after `context.signal` aborts.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly effect: Effect | ((input: Input) => Effect);
  /** A successful call ends this process and the next one goes on: the engine waits for that instead of a result. */
  readonly restartsProcess?: true;
  /**
   * Not in a session's requests, and refused when called, until the output of another tool `offers` it: for hosts with
   * more tools than a model should read at every turn.
   */
  readonly deferred?: true;
  execute(input: Input, context: ToolContext): Promise<ToolOutput>;
}

/** Types a tool from its schema and hands it on unchanged. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  // A Tool<Input> is only ever called with what its own schema parsed, so forgetting Input here is sound.
  return tool as unknown as Tool;
}

/** What ended a session for its tool providers. */
export type SessionEnd = 'cancelled' | 'deleted';

/** Brings tools. Asked anew for every request and every call, so the list may change at any time. */
export interface ToolProvider {
  readonly name: string;
  tools(caller: Caller): readonly Tool[] | Promise<readonly Tool[]>;
  /**
   * The session was cancelled, and may be prompted again, or it was deleted, by hand or after its days of retention: let
   * go of what is held for it, without waiting for the agent. May come more than once, and for sessions the provider
   * never heard of. The engine always says why.
   */
  sessionEnded?(sessionId: string, why?: SessionEnd): Promise<void>;
  close(): Promise<void>;
}
