import type { Effect } from '@harperfast/agent-core/contracts';
import { z } from 'zod';

/** The fields of a body, as its schema parsed them. */
export type OperationInput = Readonly<Record<string, unknown>>;

/** One operation of Harper that can be a tool: what it takes, what it does to the world, who may run it. */
export interface OperationSpec {
  /** The operation's name, which is the tool's too. */
  readonly name: string;
  /** Other names of the same operation: allowed, denied and shown together with it. */
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly effect: Effect | ((input: OperationInput) => Effect);
  /** Ends this process; the next one goes on. */
  readonly restartsProcess?: true;
  /**
   * A strict object of exactly what Harper documents: no argument can name another user or switch checks off. Without
   * one, only a host whose registry describes the operation has the tool.
   */
  readonly input?: z.ZodType<OperationInput>;
  /** Of HarperDB 4: a newer host has the tool where its registry lists it. */
  readonly legacy?: true;
  /** Who may run it besides super users and roles that name it: any role, or one with rights to the table. */
  readonly needs?: 'role' | 'table';
  /** The effect is right for this input only: what a registry says instead is not taken. */
  readonly keepsInput?: true;
  /** What is sent instead of the input itself. */
  body?(input: OperationInput): OperationInput;
  /** What the model may see of the answer. */
  answer?(result: unknown): unknown;
}

/** An operation that is no tool, whatever rules, flags and lists say. */
export interface DeniedOperation {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Why, in a few words. */
  readonly denied: string;
}

export const none = z.strictObject({});
export const name = z.string().min(1);
export const database = name.optional().describe("Database; 'data' when left out");
export const databaseName = name.describe('Database');
export const table = name.describe('Table');
export const ids = z
  .array(z.union([z.string(), z.number()]))
  .min(1)
  .describe('Primary keys');
export const attributes = z.array(z.string()).optional().describe("Attributes to return; ['*'] for all");
export const records = z.array(z.record(z.string(), z.unknown())).min(1).describe('Records');
export const limit = z.int().min(1).max(1000).optional().describe('At most this many');
export const offset = z.int().min(0).optional().describe('Skip this many');
export const isoTime = z.string().optional().describe('ISO 8601 time');
export const sinceEpoch = z.number().describe('Milliseconds since the epoch');
export const replicated = z.boolean().optional().describe('On every server of the cluster');
