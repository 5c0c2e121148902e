import type { Effect } from '@harperfast/agent-core/contracts';
import { z } from 'zod';

/** One operation of Harper as a tool: what it takes, what it does to the world. */
export interface OperationSpec {
  /** The operation's name, which is the tool's too. */
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  /** Ends this process; the next one goes on. */
  readonly restartsProcess?: true;
  /** A strict object of exactly what Harper documents: no argument can name another user or switch checks off. */
  readonly input: z.ZodType<Readonly<Record<string, unknown>>>;
  /** What is sent instead of the input itself. */
  body?(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** What the model may see of the answer. */
  answer?(result: unknown): unknown;
  /** Records of the `system` database are off limits. */
  readonly touchesRecords?: true;
}

export const database = z.string().min(1).optional().describe("Database; 'data' when left out");
export const table = z.string().min(1).describe('Table');
export const ids = z
  .array(z.union([z.string(), z.number()]))
  .min(1)
  .describe('Primary keys');
export const attributes = z.array(z.string()).optional().describe("Attributes to return; ['*'] for all");
export const records = z.array(z.record(z.string(), z.unknown())).min(1).describe('Records');
export const limit = z.int().min(1).max(1000).optional().describe('At most this many');
export const offset = z.int().min(0).optional().describe('Skip this many');
