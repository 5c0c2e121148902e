import { OperationRefusal } from './operation-refusal.js';

const NAME = String.raw`(?:\w+|\[[^\]]+\]|` + '`[^`]+`)';
const INSERT_INTO_NAMED = new RegExp(String.raw`^\s*insert\s+(?:into\s+)?${NAME}\s*\.\s*${NAME}`, 'i');
/** In a text as well: what is a text to whom is not settled here. */
const ANOTHER_STATEMENT = /;\s*\S/;
/** Without a database these find nothing, or fail. */
const LOOKED_AT = /^\s*(?:select|update|delete)\b/i;

/**
 * Throws `OperationRefusal` for a statement of SQL that inserts into a table without a database: HarperDB puts it into
 * the database `data`, and looks at nobody's rights to the table. What follows a semicolon
 * is refused as well: whether anybody looks at its rights is not known.
 */
export function requireNamedDatabase(sql: unknown): void {
  if (typeof sql !== 'string') return;
  if (ANOTHER_STATEMENT.test(sql)) {
    throw new OperationRefusal(400, 'Give one statement at a time, without a semicolon before its end');
  }
  if (LOOKED_AT.test(sql) || INSERT_INTO_NAMED.test(sql)) return;
  throw new OperationRefusal(400, 'Name the database of the table: INSERT INTO data.dog (id) VALUES (1)');
}
