import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { attributes, database, ids, limit, name, offset, records, table } from './operation-spec.js';
import { LONGEST_SQL, sqlEffect } from './sql-effect.js';

const condition = z.strictObject({
  attribute: name,
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
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const page = { get_attributes: attributes, limit, offset };
const byConditions = {
  conditions: z.array(condition).min(1),
  operator: z.enum(['and', 'or']).optional().describe("How conditions combine; 'and' when left out"),
};
const changed = z.strictObject({ database, table, records });

/** A search as part of another operation. */
export const searchOperation = z
  .strictObject({
    operation: z.enum(['search_by_id', 'search_by_value', 'search_by_conditions']),
    database,
    table,
    ids: ids.optional(),
    attribute: name.optional(),
    value: scalar.optional(),
    conditions: byConditions.conditions.optional(),
    operator: byConditions.operator,
    ...page,
  })
  .describe('Which records');

/** Operations on the records of tables. */
export const RECORDS: readonly OperationSpec[] = [
  {
    name: 'search_by_id',
    aliases: ['search_by_hash'],
    description: 'Returns the records of a table with these primary keys.',
    effect: 'read',
    needs: 'table',
    input: z.strictObject({ database, table, ids, get_attributes: attributes }),
  },
  {
    name: 'search_by_value',
    description: "Returns the records of a table whose attribute has this value; '*' matches any characters.",
    effect: 'read',
    needs: 'table',
    input: z.strictObject({ database, table, attribute: name, value: scalar, ...page }),
  },
  {
    name: 'search_by_conditions',
    aliases: ['search'],
    description:
      'Returns the records of a table that satisfy all conditions, or any of them, sorted and paged.',
    effect: 'read',
    needs: 'table',
    input: z.strictObject({
      database,
      table,
      ...byConditions,
      sort: z.strictObject({ attribute: name, descending: z.boolean().optional() }).optional(),
      ...page,
    }),
  },
  {
    name: 'sql',
    description:
      'Runs one SQL statement: SELECT, INSERT, UPDATE or DELETE on database.table, for joins and sums. The search operations are faster.',
    effect: ({ sql }) => sqlEffect(sql),
    keepsInput: true,
    needs: 'table',
    input: z.strictObject({ sql: z.string().min(1).max(LONGEST_SQL) }),
  },
  {
    name: 'insert',
    description: 'Adds records; those whose primary key exists are skipped.',
    effect: 'write',
    needs: 'table',
    input: changed,
  },
  {
    name: 'update',
    description: 'Changes attributes of existing records, found by their primary key.',
    effect: 'write',
    needs: 'table',
    input: changed,
  },
  {
    name: 'upsert',
    description: 'Changes records that exist and adds those that do not.',
    effect: 'write',
    needs: 'table',
    input: changed,
  },
  { name: 'put', description: 'Replaces whole records.', effect: 'write', needs: 'table' },
  {
    name: 'delete',
    description: 'Deletes the records with these primary keys.',
    effect: 'destructive',
    needs: 'table',
    input: z.strictObject({ database, table, ids }),
  },
  {
    name: 'csv_data_load',
    description: 'Loads records from CSV text into a table; answers the id of a job.',
    effect: 'write',
    needs: 'table',
    input: z.strictObject({
      database,
      table,
      action: z.enum(['insert', 'update', 'upsert']).optional().describe("'insert' when left out"),
      data: z.string().min(1).describe('CSV, names of attributes in the first line'),
    }),
  },
  {
    name: 'delete_records_before',
    aliases: ['delete_files_before'],
    description: 'Deletes the records of a table that were created before a date; answers the id of a job.',
    effect: 'destructive',
    input: z.strictObject({ database, table, date: name.describe('ISO 8601') }),
  },
];
