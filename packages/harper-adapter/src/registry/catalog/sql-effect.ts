import type { Effect } from '@harperfast/agent-core/contracts';

/** Characters of a statement: it is looked through on the main thread. */
export const LONGEST_SQL = 10_000;

const VERBS =
  /\b(select|insert|update|delete|drop|alter|create|truncate|merge|replace|rename|attach|detach|into|use|exec|execute|call|declare|source|require|while|begin|grant|revoke)\b/g;
/** What a statement of Harper's needs none of: several statements, comments, code, methods, files and functions as tables. */
const UNUSUAL = /;|``|\\|=>|->|--|\/\*|@|\?|\b(from|join|into)\b\s*["']|\b(from|join)\b[\s(]*[\w.`[\]]+\s*\(/;
/** A function after a comma: as a table, unless it is one of those that only compute. */
const LISTED_FUNCTION =
  /,[\s(]*(?!(?:count|sum|avg|min|max|round|floor|ceil|abs|lower|upper|trim|len|length|substring|concat|coalesce|ifnull|year|month|day)\s*\()[\w.`[\]]+\s*\(/;

/**
 * What a statement does, judged by its words, those in values included: a plain SELECT reads, a plain INSERT or UPDATE
 * writes, and anything else, also what is only unusual, is destructive.
 */
export function sqlEffect(sql: unknown): Effect {
  if (typeof sql !== 'string') return 'destructive';
  const text = sql.trim().replace(/;$/, '').toLowerCase();
  const tables = text.search(/\bfrom\b/);
  if (UNUSUAL.test(text) || (tables !== -1 && LISTED_FUNCTION.test(text.slice(tables)))) return 'destructive';
  const [first, ...others] = Array.from(text.matchAll(VERBS), ({ 0: verb }) => verb);
  if (first === undefined || !text.startsWith(first)) return 'destructive';
  if (first === 'select') return others.every((verb) => verb === 'select') ? 'read' : 'destructive';
  const allowed = first === 'insert' ? ['into', 'select'] : ['select'];
  return ['insert', 'update'].includes(first) && others.every((verb) => allowed.includes(verb))
    ? 'write'
    : 'destructive';
}
