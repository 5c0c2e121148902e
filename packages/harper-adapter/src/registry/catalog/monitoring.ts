import { z } from 'zod';
import { maskSecrets } from '../../redaction/mask-secrets.js';
import type { OperationSpec } from './operation-spec.js';
import { attributes, database, isoTime, limit, name, none, sinceEpoch, table } from './operation-spec.js';

/** Operations that tell how the server is, and what happened on it. */
export const MONITORING: readonly OperationSpec[] = [
  {
    name: 'read_log',
    description: "Returns entries of the server's log, filtered by level and time.",
    effect: 'read',
    input: z.strictObject({
      level: z.enum(['notify', 'error', 'warn', 'info', 'debug', 'trace']).optional(),
      from: isoTime,
      until: isoTime,
      order: z.enum(['asc', 'desc']).optional().describe('By time'),
      start: z.int().min(0).optional().describe('Skip this many entries'),
      limit,
    }),
  },
  {
    name: 'read_audit_log',
    description: 'Returns who changed which records of a table, with old and new values.',
    effect: 'read',
    input: z.strictObject({
      database,
      table,
      search_type: z
        .enum(['hash_value', 'timestamp', 'username'])
        .optional()
        .describe('What search_values are'),
      search_values: z.array(z.union([z.string(), z.number()])).optional(),
      limit,
    }),
  },
  {
    name: 'read_transaction_log',
    description: 'Returns the transactions on a table.',
    effect: 'read',
    input: z.strictObject({
      database,
      table,
      from: sinceEpoch.optional(),
      to: sinceEpoch.optional(),
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
    name: 'get_status',
    aliases: ['status'],
    description: 'Returns the status of this server and its components, or one entry of it.',
    effect: 'read',
    input: z.strictObject({ id: name.optional().describe("'primary', 'maintenance' or 'availability'") }),
  },
  {
    name: 'get_job',
    description: 'Returns the state of a job by the id that the operation which began it answered.',
    effect: 'read',
    needs: 'role',
    input: z.strictObject({ id: name }),
  },
  {
    name: 'search_jobs_by_start_date',
    description: 'Returns the jobs that began between two times.',
    effect: 'read',
    input: z.strictObject({ from_date: name.describe('ISO 8601'), to_date: name.describe('ISO 8601') }),
  },
  {
    name: 'list_metrics',
    description: 'Lists the metrics that get_analytics knows.',
    effect: 'read',
    needs: 'role',
    input: z.strictObject({ metric_types: z.array(z.enum(['builtin', 'custom'])).optional() }),
  },
  {
    name: 'describe_metric',
    description: 'Describes the attributes of a metric.',
    effect: 'read',
    needs: 'role',
    input: z.strictObject({ metric: name }),
  },
  {
    name: 'get_analytics',
    description: 'Returns the values of a metric over time.',
    effect: 'read',
    needs: 'role',
    input: z.strictObject({
      metric: name,
      start_time: sinceEpoch.optional(),
      end_time: sinceEpoch.optional(),
      get_attributes: attributes,
    }),
  },
  { name: 'get_metrics', description: 'Returns figures of this server.', effect: 'read' },
  {
    name: 'get_configuration',
    description: "Returns this server's configuration; credentials in it are masked.",
    effect: 'read',
    input: none,
    answer: maskAnswer,
  },
  {
    name: 'user_info',
    description: 'Returns the user you act as, and its role.',
    effect: 'read',
    needs: 'role',
    input: none,
    answer: maskAnswer,
  },
  { name: 'list_roles', description: 'Lists the roles and their permissions.', effect: 'read', input: none },
  {
    name: 'registration_info',
    description: 'Returns the version and the registration of this server.',
    effect: 'read',
    needs: 'role',
    input: none,
    answer: maskAnswer,
  },
  {
    name: 'get_fingerprint',
    description: "Returns this server's fingerprint for a license.",
    effect: 'read',
    input: none,
    legacy: true,
  },
  {
    name: 'get_usage_licenses',
    description: 'Lists the usage licenses.',
    effect: 'read',
    input: none,
    answer: maskAnswer,
  },
];

function maskAnswer(result: unknown): unknown {
  return maskSecrets(result);
}
