import { z } from 'zod';
import type { HostLogger } from '../log/open-log.js';
import { requestContext } from '../server/request-context.js';
import type { ResourceClass } from '../workers/load-resources.js';
import { toolFailure, toolResult } from './tool-results.js';
import type { RegisteredTool, ToolCallContext } from './tool.js';

type Handler = (args: unknown, context: ToolCallContext) => unknown;

const customSchema = z.looseObject({
  description: z.string().default(''),
  inputSchema: z.looseObject({}).default({ type: 'object', additionalProperties: true }),
  annotations: z.looseObject({}).optional(),
  handler: z.custom<Handler>((value) => typeof value === 'function').optional(),
  method: z.string().optional(),
});
const resultSchema = z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) });

/**
 * The tools of `static mcpTools = { name: { description, inputSchema, annotations?, handler | method } }`. A
 * handler is called with `(args, context)` and the class as `this`; a method is one of the class or of a new
 * instance. What they return becomes the result, unless it is one (`{ content }`). A wrong one is logged and left out.
 */
export function customTools(name: string, resource: ResourceClass, logger: HostLogger): RegisteredTool[] {
  const declared: unknown = Reflect.get(resource, 'mcpTools');
  if (typeof declared !== 'object' || declared === null) return [];
  return Object.entries(declared).flatMap(([tool, definition]) => {
    const parsed = customSchema.safeParse(definition);
    const run = parsed.success ? handlerOf(resource, parsed.data) : undefined;
    if (!parsed.success || run === undefined) {
      const why = parsed.success ? 'it names no handler and no method' : z.prettifyError(parsed.error);
      logger.error(`MCP tool ${tool} of resource ${name} is left out: ${why}`);
      return [];
    }
    const { description, inputSchema, annotations } = parsed.data;
    return {
      name: tool,
      description,
      inputSchema,
      ...(annotations !== undefined && { annotations }),
      profile: 'application' as const,
      visibleTo: (user) => user.role !== undefined,
      handler: (args, context) =>
        requestContext.run({ user: context.user }, async () => {
          try {
            const result = await run(args, context);
            return resultSchema.safeParse(result).success ? result : toolResult(result);
          } catch (error) {
            return toolFailure({ tool }, error);
          }
        }),
    };
  });
}

function handlerOf(resource: ResourceClass, custom: z.infer<typeof customSchema>): Handler | undefined {
  const { handler, method } = custom;
  if (handler !== undefined) return (args, context) => handler.call(resource, args, context);
  if (method === undefined) return undefined;
  return (args, context) => {
    const holder = typeof Reflect.get(resource, method) === 'function' ? resource : new resource();
    const found: unknown = Reflect.get(holder, method);
    if (typeof found !== 'function') throw new Error(`The class has no method '${method}'`);
    return found.call(holder, args, context);
  };
}
