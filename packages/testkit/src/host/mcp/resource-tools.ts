import { z } from 'zod';
import { HostError } from '../host-error.js';
import { requestContext } from '../server/request-context.js';
import { collect } from '../tables/collect.js';
import { callMethod } from '../workers/call-resource.js';
import { hasMethod, type ResourceClass } from '../workers/load-resources.js';
import { RequestTarget } from '../workers/request-target.js';
import type { HostUser } from '../users/user.js';
import { toolFailure, toolResult } from './tool-results.js';
import type { RegisteredTool } from './tool.js';

const id = z.union([z.string(), z.number()]).describe('Primary key');
const data = z.looseObject({}).describe('The record');
const anyInput = z.looseObject({ id: id.optional(), data: data.optional() });

interface Verb {
  readonly verb: string;
  /** Methods of the class that do it, the preferred one first. */
  readonly methods: readonly string[];
  readonly right: string;
  readonly says: string;
  readonly input: z.ZodObject;
  readonly hints: Readonly<Record<string, boolean>>;
}

const VERBS: readonly Verb[] = [
  {
    verb: 'get',
    methods: ['get'],
    right: 'allowRead',
    says: 'Reads one record of',
    input: z.object({ id }),
    hints: { readOnlyHint: true },
  },
  {
    verb: 'search',
    methods: ['search'],
    right: 'allowRead',
    says: 'Searches',
    input: z.looseObject({
      conditions: z.array(z.looseObject({})).optional(),
      limit: z.number().optional(),
      offset: z.number().optional(),
    }),
    hints: { readOnlyHint: true },
  },
  {
    verb: 'create',
    methods: ['post'],
    right: 'allowCreate',
    says: 'Adds a record to',
    input: z.object({ id: id.optional(), data }),
    hints: {},
  },
  {
    verb: 'update',
    methods: ['patch', 'put'],
    right: 'allowUpdate',
    says: 'Changes a record of',
    input: z.object({ id, data }),
    hints: {},
  },
  {
    verb: 'delete',
    methods: ['delete'],
    right: 'allowDelete',
    says: 'Removes a record of',
    input: z.object({ id }),
    hints: { destructiveHint: true },
  },
];

/** `get_<name>`, `search_`, `create_`, `update_` and `delete_`, as far as the class has the methods. */
export function resourceTools(name: string, resource: ResourceClass): RegisteredTool[] {
  return VERBS.flatMap((verb) => {
    const method = verb.methods.find((candidate) => hasMethod(resource, candidate));
    return method === undefined ? [] : [toTool(name, resource, verb, method)];
  });
}

function toTool(name: string, resource: ResourceClass, verb: Verb, method: string): RegisteredTool {
  const tool = `${verb.verb}_${name}`;
  return {
    name: tool,
    description: `${verb.says} the resource ${name}.`,
    inputSchema: { ...z.toJSONSchema(verb.input, { io: 'input' }) },
    annotations: verb.hints,
    profile: 'application',
    visibleTo: (user) => isAllowed(resource, verb.right, user) !== false,
    handler: (args, { user }) =>
      requestContext.run({ user }, async () => {
        try {
          const parsed = verb.input.safeParse(args);
          if (!parsed.success) throw new HostError(400, `${tool}: ${z.prettifyError(parsed.error)}`);
          if ((await isAllowed(resource, verb.right, user)) === false)
            throw new HostError(403, `User '${user.username}' may not call ${tool}`);
          const result = await call(name, resource, method, anyInput.parse(parsed.data));
          return toolResult(isRows(result) ? await collect(result) : result);
        } catch (error) {
          return toolFailure({ tool }, error);
        }
      }),
  };
}

function call(
  name: string,
  resource: ResourceClass,
  method: string,
  args: z.infer<typeof anyInput>,
): unknown {
  const { id: key, data: record, ...query } = args;
  const recordId = key === undefined ? undefined : String(key);
  const path = recordId === undefined ? `/${name}` : `/${name}/${encodeURIComponent(recordId)}`;
  const target = Object.assign(new RequestTarget(path, recordId, ''), query);
  return callMethod(name, resource, method, target, record);
}

/** Rows that are still to be fetched. */
function isRows(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** What the class says by `allowRead` and so on; who has a role may what the class does not decide. */
function isAllowed(resource: ResourceClass, right: string, user: HostUser): unknown {
  if (user.role === undefined) return false;
  const instance = new resource();
  const decide: unknown = Reflect.get(instance, right);
  return typeof decide === 'function' ? (decide.call(instance, user) ?? false) : true;
}
