import type { HarperRegistryTool } from '../host.js';
import type { OperationInput, OperationSpec } from './catalog/operation-spec.js';
import type { z } from 'zod';
import { isHarpersOwn } from './refuse-foreign-arguments.js';
import { foreignInput } from './schemas/foreign-input.js';
import { isForeignSchema } from './schemas/schema-node.js';

/**
 * What a documented operation takes: what the registry says, made strict, where it says more than that anything goes;
 * the catalog's own schema otherwise. `undefined` where nobody says.
 */
export function documentedInput(
  spec: OperationSpec,
  listed: HarperRegistryTool | undefined,
): z.ZodType<OperationInput> | undefined {
  if (listed === undefined || spec.keepsInput === true) return spec.input;
  const { inputSchema } = listed;
  if (saysNothing(inputSchema)) return spec.input ?? inputOf({ type: 'object' });
  return inputOf({ ...withoutHarpersOwn(inputSchema), additionalProperties: false }) ?? spec.input;
}

/** What any other operation takes, as its registry says, without the fields that are Harper's; `undefined` if no object. */
export function otherInput({ inputSchema }: HarperRegistryTool): z.ZodType<OperationInput> | undefined {
  return inputOf(withoutHarpersOwn(inputSchema));
}

function inputOf(schema: object): z.ZodType<OperationInput> | undefined {
  const found = foreignInput(schema);
  return found.ok ? found.input : undefined;
}

/** The schema Harper gives to operations it has none for. */
function saysNothing(schema: unknown): boolean {
  if (!isForeignSchema(schema)) return true;
  const { properties, additionalProperties: others, ...rest } = schema;
  const hasProperties = isForeignSchema(properties) && Object.keys(properties).length > 0;
  const isComposed = ['allOf', 'anyOf', 'oneOf', '$ref'].some((key) => key in rest);
  return !hasProperties && !isComposed && others !== false;
}

function withoutHarpersOwn(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isForeignSchema(schema)) return {};
  const { properties, required } = schema;
  return {
    ...schema,
    ...(isForeignSchema(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !isHarpersOwn(key))),
    }),
    ...(Array.isArray(required) && {
      required: required.filter((key: unknown) => typeof key !== 'string' || !isHarpersOwn(key)),
    }),
  };
}
