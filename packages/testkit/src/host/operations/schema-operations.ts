import { z } from 'zod';
import { HostError } from '../host-error.js';
import { mayAccessTable, type HostUser } from '../users/user.js';
import type { Tables } from '../tables/open-tables.js';
import { coreOperation, databaseField, databaseOf } from './core-operation.js';
import type { CoreOperation } from './operation-registry.js';

const superUser = { requiresSuperUser: true };
const anyone = { requiresSuperUser: false };
const databaseInput = z.object(databaseField);
const tableInput = z.object({ ...databaseField, table: z.string().min(1) });

/** describe_*, create_* and drop_* of databases and tables. */
export function schemaOperations(tables: Tables): CoreOperation[] {
  const describeTable = async (database: string, name: string) => {
    const table = tables.table(database, name);
    let records = 0;
    for await (const _record of table.search()) records++;
    return {
      schema: database,
      database,
      name,
      hash_attribute: table.primaryKey,
      primary_key: table.primaryKey,
      audit: table.definition.audit,
      attributes: table.attributes.map(({ name: attribute, type, indexed, isPrimaryKey }) => ({
        attribute,
        ...(type !== undefined && { type }),
        ...(isPrimaryKey === true && { is_primary_key: true }),
        ...(indexed !== undefined && { indexed: Boolean(indexed) }),
      })),
      record_count: records,
    };
  };
  const describeDatabase = async (database: string, user: HostUser | undefined) => {
    const described: Record<string, unknown> = {};
    for (const name of Object.keys(existing(database))) {
      if (maySee(user, database, name)) described[name] = await describeTable(database, name);
    }
    return described;
  };
  const existing = (database: string) => {
    const found = Object.hasOwn(tables.databases, database) ? tables.databases[database] : undefined;
    if (found === undefined) throw new HostError(404, `database '${database}' does not exist`);
    return found;
  };

  return [
    coreOperation('describe_all', anyone, z.object({}), async (_input, { hdb_user: user }) => {
      const all: Record<string, unknown> = {};
      for (const database of Object.keys(tables.databases)) {
        if (database !== 'system') all[database] = await describeDatabase(database, user);
      }
      return all;
    }),
    ...['describe_database', 'describe_schema'].map((name) =>
      coreOperation(name, anyone, databaseInput, (input, { hdb_user: user }) =>
        describeDatabase(databaseOf(input), user),
      ),
    ),
    coreOperation('describe_table', anyone, tableInput, (input, { hdb_user: user }) => {
      const database = databaseOf(input);
      tables.table(database, input.table);
      if (!maySee(user, database, input.table))
        throw new HostError(403, `Not permitted to see ${database}.${input.table}`);
      return describeTable(database, input.table);
    }),
    ...['create_database', 'create_schema'].map((name) =>
      coreOperation(name, superUser, databaseInput, async (input) => {
        const database = databaseOf(input);
        if (!/^[\w -]{1,250}$/.test(database))
          throw new HostError(400, `'${database}' is no name for a database`);
        if (Object.hasOwn(tables.databases, database))
          throw new HostError(400, `database '${database}' already exists`);
        await tables.createDatabase(database);
        return `database '${database}' successfully created`;
      }),
    ),
    ...['drop_database', 'drop_schema'].map((name) =>
      coreOperation(name, superUser, databaseInput, async (input) => {
        const database = databaseOf(input);
        existing(database);
        refuseSystem(database);
        await tables.dropDatabase(database);
        return `successfully deleted '${database}'`;
      }),
    ),
    coreOperation(
      'create_table',
      superUser,
      z.object({
        ...databaseField,
        table: z.string().min(1),
        primary_key: z.string().optional(),
        hash_attribute: z.string().optional(),
        attributes: z.array(z.looseObject({ name: z.string() })).default([]),
      }),
      async (input) => {
        const database = databaseOf(input);
        refuseSystem(database);
        if (tables.find(database, input.table) !== undefined) {
          throw new HostError(400, `Table '${input.table}' already exists in '${database}'`);
        }
        const primaryKey = input.primary_key ?? input.hash_attribute ?? 'id';
        const others = input.attributes.filter(({ name }) => name !== primaryKey);
        await tables.createTable({
          table: input.table,
          database,
          attributes: [
            { name: primaryKey, isPrimaryKey: true },
            ...others.map((other) => ({ indexed: true, ...other })),
          ],
        });
        return `table '${database}.${input.table}' successfully created.`;
      },
    ),
    coreOperation('drop_table', superUser, tableInput, async (input) => {
      const database = databaseOf(input);
      refuseSystem(database);
      await tables.dropTable(database, input.table);
      return `successfully deleted table '${database}.${input.table}'`;
    }),
  ];
}

function refuseSystem(database: string): void {
  if (database === 'system')
    throw new HostError(403, 'The system database is changed by its own operations only');
}

function maySee(user: HostUser | undefined, database: string, table: string): boolean {
  const permission = user?.role?.permission;
  // Without a user it is a component that asks, in process.
  if (user === undefined || permission?.super_user === true) return true;
  return (
    permission !== undefined && database !== 'system' && mayAccessTable(permission, database, table, 'read')
  );
}
