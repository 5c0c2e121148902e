import { z } from 'zod';
import { HostError } from '../host-error.js';
import { collect } from '../tables/collect.js';
import type { Tables } from '../tables/open-tables.js';
import type { StoredRecord } from '../tables/stored-record.js';
import { coreOperation, databaseField, databaseOf } from './core-operation.js';
import type { CoreOperation } from './operation-registry.js';

const tableFields = { ...databaseField, table: z.string().min(1) };
const record = z.record(z.string(), z.unknown());
const recordsInput = z.object({ ...tableFields, records: z.array(record) });
const idsInput = z.object({
  ...tableFields,
  ids: z.array(z.unknown()).optional(),
  hash_values: z.array(z.unknown()).optional(),
});
const page = {
  limit: z.number().int().min(0).optional(),
  offset: z.number().int().min(0).optional(),
  get_attributes: z.array(z.string()).optional(),
  sort: z.unknown().optional(),
};
const conditionInput = z.looseObject({
  attribute: z.string().optional(),
  search_attribute: z.string().optional(),
  comparator: z.string().optional(),
  search_type: z.string().optional(),
  value: z.unknown().optional(),
  search_value: z.unknown().optional(),
});
type Page = {
  limit?: number | undefined;
  offset?: number | undefined;
  get_attributes?: string[] | undefined;
  sort?: unknown;
};
type Ids = z.infer<typeof idsInput>;
type Condition = z.infer<typeof conditionInput>;

/** insert, update, upsert, delete and search_by_*: the operations on records of the tables of applications. */
export function recordOperations(tables: Tables): CoreOperation[] {
  const tableOf = (input: { table: string; database?: string | undefined; schema?: string | undefined }) =>
    tables.table(databaseOf(input), input.table);

  const write = (name: 'insert' | 'update' | 'upsert', answer: string, takes: (exists: boolean) => boolean) =>
    coreOperation(
      name,
      { access: name === 'insert' ? 'insert' : 'update' },
      recordsInput,
      async (input, body) => {
        const table = tableOf(input);
        refuseSystem(databaseOf(input));
        const [written, skipped]: [unknown[], unknown[]] = [[], []];
        await tables.transaction(body, async () => {
          for (const row of input.records) {
            const id = row[table.primaryKey];
            if (id === undefined && name === 'update') {
              throw new HostError(
                400,
                `a valid hash attribute must be provided with update record: '${table.primaryKey}'`,
              );
            }
            const exists = id !== undefined && (await table.get(id)) !== undefined;
            if (!takes(exists)) skipped.push(id);
            else if (exists) written.push(await table.patch(row).then(() => id));
            else written.push((await table.create(row))[table.primaryKey]);
          }
        });
        const verb = name === 'upsert' ? 'upserted' : name === 'insert' ? 'inserted' : 'updated';
        return {
          message: `${verb} ${written.length} of ${input.records.length} records`,
          [answer]: written,
          skipped_hashes: skipped,
        };
      },
    );

  return [
    write('insert', 'inserted_hashes', (exists) => !exists),
    write('update', 'update_hashes', (exists) => exists),
    write('upsert', 'upserted_hashes', () => true),
    coreOperation('delete', { access: 'delete' }, idsInput, async (input, body) => {
      const table = tableOf(input);
      refuseSystem(databaseOf(input));
      const [deleted, skipped]: [unknown[], unknown[]] = [[], []];
      await tables.transaction(body, async () => {
        for (const id of idsOf(input)) ((await table.delete(id)) ? deleted : skipped).push(id);
      });
      const message = `${deleted.length} of ${idsOf(input).length} record successfully deleted`;
      return { message, deleted_hashes: deleted, skipped_hashes: skipped };
    }),
    ...['search_by_id', 'search_by_hash'].map((name) =>
      coreOperation(name, { access: 'read' }, idsInput.extend(page), async (input) => {
        const table = tableOf(input);
        const found = await Promise.all(idsOf(input).map((id) => table.get(id)));
        return found.filter((row) => row !== undefined).map((row) => pick(row, input.get_attributes));
      }),
    ),
    coreOperation(
      'search_by_value',
      { access: 'read' },
      conditionInput.extend({ ...tableFields, ...page }),
      (input) => {
        const { attribute, value } = readCondition(input);
        const conditions = value === '*' ? [] : [wildcard(attribute, value)];
        return collect(tableOf(input).search({ conditions, ...queryPage(input) }));
      },
    ),
    coreOperation(
      'search_by_conditions',
      { access: 'read' },
      z.object({
        ...tableFields,
        ...page,
        operator: z.string().optional(),
        conditions: z.array(conditionInput).min(1),
      }),
      (input) => {
        const conditions = input.conditions.map(readCondition);
        const operator = input.operator === undefined ? {} : { operator: input.operator };
        return collect(tableOf(input).search({ conditions, ...operator, ...queryPage(input) }));
      },
    ),
  ];
}

function idsOf(input: Ids): readonly unknown[] {
  const ids = input.ids ?? input.hash_values;
  if (ids === undefined) throw new HostError(400, "'ids' is required");
  return ids;
}

function readCondition(input: Condition): { attribute: string; comparator: string; value: unknown } {
  const attribute = input.attribute ?? input.search_attribute;
  if (attribute === undefined) throw new HostError(400, "'attribute' is required");
  return {
    attribute,
    comparator: input.comparator ?? input.search_type ?? 'equals',
    value: input.value ?? input.search_value,
  };
}

/** `Har*`, `*per` and `*arp*` as Harper reads them. */
function wildcard(
  attribute: string,
  value: unknown,
): { attribute: string; comparator: string; value: unknown } {
  const text = typeof value === 'string' ? value : '';
  const [first, last] = [text.startsWith('*'), text.endsWith('*')];
  if (first && last) return { attribute, comparator: 'contains', value: text.slice(1, -1) };
  if (last) return { attribute, comparator: 'starts_with', value: text.slice(0, -1) };
  if (first) return { attribute, comparator: 'ends_with', value: text.slice(1) };
  return { attribute, comparator: 'equals', value };
}

function queryPage({ limit, offset, get_attributes: names, sort }: Page): object {
  return {
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
    ...(sort !== undefined && { sort }),
    ...(names !== undefined && !names.includes('*') && { select: names }),
  };
}

function pick(row: StoredRecord, names: string[] | undefined): StoredRecord {
  if (names === undefined || names.includes('*')) return row;
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}

function refuseSystem(database: string): void {
  if (database === 'system')
    throw new HostError(403, 'The system database is changed by its own operations only');
}
