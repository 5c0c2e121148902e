import { z } from 'zod';
import { HostError } from '../host-error.js';
import type { OperationRule } from './authorize-operation.js';
import type { CoreOperation, OperationBody } from './operation-registry.js';

/** Defines an operation of the host's own: the body is parsed first, and a wrong one answered with 400. */
export function coreOperation<Input>(
  name: string,
  rule: OperationRule,
  schema: z.ZodType<Input>,
  execute: (input: Input, body: OperationBody) => unknown,
): CoreOperation {
  let inputSchema: object | undefined;
  return {
    name,
    ...rule,
    // Made when an MCP client first asks: a start of the host should not pay for it.
    get inputSchema() {
      inputSchema ??= z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      return inputSchema;
    },
    execute(body) {
      const parsed = schema.safeParse(body);
      if (!parsed.success) throw new HostError(400, `${name}: ${z.prettifyError(parsed.error)}`);
      return execute(parsed.data, body);
    },
  };
}

/** `database` or its old name `schema`; `data` when neither is given. */
export const databaseField = { database: z.string().optional(), schema: z.string().optional() };

export function databaseOf(input: { database?: string | undefined; schema?: string | undefined }): string {
  return input.database ?? input.schema ?? 'data';
}
