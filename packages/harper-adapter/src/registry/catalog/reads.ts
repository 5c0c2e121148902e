import { z } from 'zod';
import { maskSecrets } from '../../redaction/mask-secrets.js';
import type { OperationSpec } from './operation-spec.js';
import { attributes, database, ids, limit, offset, table } from './operation-spec.js';

const condition = z.strictObject({
  attribute: z.string(),
  comparator: z
    .enum([
      'equals',
      'not_equal',
      'contains',
      'starts_with',
      'ends_with',
      'greater_than',
      'greater_than_equal',
      'less_than',
      'less_than_equal',
      'between',
    ])
    .describe('How attribute and value compare'),
  value: z.unknown().describe("A value; for 'between' a list of two"),
});

/** Operations that change nothing. `list_users` is not among them: its answer holds password hashes. */
export const READS: readonly OperationSpec[] = [
  {
    name: 'describe_all',
    description: 'Describes every database and table of this server: attributes, keys, record counts.',
    effect: 'read',
    input: z.strictObject({}),
  },
  {
    name: 'describe_database',
    description: 'Describes the tables of one database.',
    effect: 'read',
    input: z.strictObject({ database: z.string().min(1) }),
  },
  {
    name: 'describe_table',
    description: 'Describes one table: attributes, primary key, record count.',
    effect: 'read',
    input: z.strictObject({ database, table }),
  },
  {
    name: 'search_by_id',
    description: 'Returns the records of a table with these primary keys.',
    effect: 'read',
    input: z.strictObject({ database, table, ids, get_attributes: attributes }),
    touchesRecords: true,
  },
  {
    name: 'search_by_value',
    description: "Returns the records of a table whose attribute has this value; '*' matches any characters.",
    effect: 'read',
    input: z.strictObject({
      database,
      table,
      attribute: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
      get_attributes: attributes,
      limit,
      offset,
    }),
    touchesRecords: true,
  },
  {
    name: 'search_by_conditions',
    description:
      'Returns the records of a table that satisfy all conditions, or any of them, sorted and paged.',
    effect: 'read',
    input: z.strictObject({
      database,
      table,
      conditions: z.array(condition).min(1),
      operator: z.enum(['and', 'or']).optional().describe("How conditions combine; 'and' when left out"),
      sort: z.strictObject({ attribute: z.string(), descending: z.boolean().optional() }).optional(),
      get_attributes: attributes,
      limit,
      offset,
    }),
    touchesRecords: true,
  },
  {
    name: 'get_components',
    description: 'Lists the applications and components on this server and their files.',
    effect: 'read',
    input: z.strictObject({}),
  },
  {
    name: 'cluster_status',
    description: "Returns this node's name and the state of its connections to its peers.",
    effect: 'read',
    input: z.strictObject({}),
  },
  {
    name: 'read_log',
    description: "Returns entries of the server's log, filtered by level and time.",
    effect: 'read',
    input: z.strictObject({
      level: z.enum(['notify', 'error', 'warn', 'info', 'debug', 'trace']).optional(),
      from: z.string().optional().describe('ISO 8601 time'),
      until: z.string().optional().describe('ISO 8601 time'),
      order: z.enum(['asc', 'desc']).optional().describe('By time'),
      start: z.int().min(0).optional().describe('Skip this many entries'),
      limit,
    }),
  },
  {
    name: 'system_information',
    description: 'Returns load, memory, disk and process figures of this server.',
    effect: 'read',
    input: z.strictObject({
      attributes: z
        .array(z.string())
        .optional()
        .describe("Parts to return, such as 'cpu', 'memory', 'threads'"),
    }),
  },
  {
    name: 'list_roles',
    description: 'Lists the roles and their permissions.',
    effect: 'read',
    input: z.strictObject({}),
  },
  {
    name: 'get_configuration',
    description: "Returns this server's configuration; credentials in it are masked.",
    effect: 'read',
    input: z.strictObject({}),
    answer: (result) => maskSecrets(result),
  },
];
