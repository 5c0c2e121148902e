import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { database, records, table } from './operation-spec.js';

const changed = z.strictObject({ database, table, records });

/** Operations that add or change data recoverably, and the restart of the workers. */
export const CHANGES: readonly OperationSpec[] = [
  {
    name: 'create_database',
    description: 'Creates a database.',
    effect: 'write',
    input: z.strictObject({ database: z.string().min(1) }),
  },
  {
    name: 'create_table',
    description: 'Creates a table with this primary key.',
    effect: 'write',
    input: z.strictObject({
      database,
      table,
      primary_key: z.string().min(1),
      attributes: z
        .array(
          z.strictObject({
            name: z.string().min(1),
            type: z.string().optional(),
            indexed: z.boolean().optional(),
          }),
        )
        .optional(),
    }),
  },
  {
    name: 'insert',
    description: 'Adds records; those whose primary key exists are skipped.',
    effect: 'write',
    input: changed,
    touchesRecords: true,
  },
  {
    name: 'update',
    description: 'Changes attributes of existing records, found by their primary key.',
    effect: 'write',
    input: changed,
    touchesRecords: true,
  },
  {
    name: 'upsert',
    description: 'Changes records that exist and adds those that do not.',
    effect: 'write',
    input: changed,
    touchesRecords: true,
  },
  {
    name: 'restart_service',
    description:
      'Replaces the workers that serve applications, so that changed files are loaded; this process stays.',
    effect: 'disruptive',
    input: z.strictObject({ service: z.enum(['http_workers']) }),
  },
];
