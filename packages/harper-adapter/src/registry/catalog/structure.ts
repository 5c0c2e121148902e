import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { database, databaseName, name, none, table } from './operation-spec.js';

/** Operations on databases, tables and attributes. */
export const STRUCTURE: readonly OperationSpec[] = [
  {
    name: 'describe_all',
    description: 'Describes every database and table of this server: attributes, keys, record counts.',
    effect: 'read',
    needs: 'role',
    input: none,
  },
  {
    name: 'describe_database',
    aliases: ['describe_schema'],
    description: 'Describes the tables of one database.',
    effect: 'read',
    needs: 'table',
    input: z.strictObject({ database: databaseName }),
  },
  {
    name: 'describe_table',
    description: 'Describes one table: attributes, primary key, record count.',
    effect: 'read',
    needs: 'table',
    input: z.strictObject({ database, table }),
  },
  {
    name: 'create_database',
    aliases: ['create_schema'],
    description: 'Creates a database.',
    effect: 'write',
    input: z.strictObject({ database: databaseName }),
  },
  {
    name: 'create_table',
    description: 'Creates a table with this primary key.',
    effect: 'write',
    input: z.strictObject({
      database,
      table,
      primary_key: name,
      attributes: z
        .array(z.strictObject({ name, type: z.string().optional(), indexed: z.boolean().optional() }))
        .optional(),
    }),
  },
  {
    name: 'create_attribute',
    description: 'Adds an indexed attribute to a table.',
    effect: 'write',
    needs: 'table',
    input: z.strictObject({ database, table, attribute: name }),
  },
  {
    name: 'drop_database',
    aliases: ['drop_schema'],
    description: 'Drops a database and all its tables.',
    effect: 'destructive',
    input: z.strictObject({ database: databaseName }),
  },
  {
    name: 'drop_table',
    description: 'Drops a table and all its records.',
    effect: 'destructive',
    input: z.strictObject({ database, table }),
  },
  {
    name: 'drop_attribute',
    description: 'Drops an attribute of a table with all its values.',
    effect: 'destructive',
    input: z.strictObject({ database, table, attribute: name }),
  },
];
