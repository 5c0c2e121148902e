import { OperationRefusal } from './operation-refusal.js';

const NAME = String.raw`(?:\w+|\[[^\]]+\]|` + '`[^`]+`)';
const INSERT_INTO_NAMED = new RegExp(String.raw`^\s*insert\s+(?:into\s+)?${NAME}\s*\.\s*${NAME}`, 'i');
/** Without a database these find nothing, or fail. */
const LOOKED_AT = /^\s*(?:select|update|delete)\b/i;

/**
 * Throws `OperationRefusal` for a statement of SQL that inserts into a table without a database: HarperDB puts it into
 * the database `data`, and looks at nobody's rights to the table.
 */
export function requireNamedDatabase(sql: unknown): void {
  if (typeof sql !== 'string' || LOOKED_AT.test(sql) || INSERT_INTO_NAMED.test(sql)) return;
  throw new OperationRefusal(400, 'Name the database of the table: INSERT INTO data.dog (id) VALUES (1)');
}
