import { z } from 'zod';
import type { OperationContext } from './operation-context.js';

/** One operation of the agent. */
export interface AgentOperation<Input> {
  readonly name: string;
  /** What it does, for who chooses an operation from a list. */
  readonly description: string;
  /** A strict object of the operation's own parameters. */
  readonly input: z.ZodType<Input>;
  run(input: Input, by: string, context: OperationContext): Promise<unknown>;
}

/** Types an operation from its schema and forgets the type again: it is only called with what the schema parsed. */
export function defineOperation<Input>(operation: AgentOperation<Input>): AgentOperation<unknown> {
  const { input } = operation;
  return { ...operation, run: async (given, by, context) => operation.run(input.parse(given), by, context) };
}

/** JSON Schema of the operation's own parameters, as a client sends them. */
export function inputSchemaOf({ input }: AgentOperation<unknown>): object {
  return z.toJSONSchema(input, { io: 'input' });
}
