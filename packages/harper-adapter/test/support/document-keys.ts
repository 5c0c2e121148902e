import { DEFAULT_SETTINGS } from '@harperfast/agent-core';
import { z } from 'zod';
import { blockSchema, isFixedAtStart, namedSettings } from '../../src/config.js';
import { keyDocs } from '../../src/config/key-docs.js';

const SAFE = Number.MAX_SAFE_INTEGER;
const LINK = /[.:]? see \[[^\]]*\]\([^)]*\)\./gi;
const settings = namedSettings(DEFAULT_SETTINGS);

/** Every key of the block as a row of a Markdown table: what it takes, its default, when it changes, what it means. */
export function keyTable(): string {
  const rows = Object.entries(blockSchema.shape).map(([name, schema]) => [
    `\`${name}\``,
    allowed(schema),
    defaultText(name, schema),
    isFixedAtStart(name) ? 'restart' : 'live',
    keyDocs.get(schema)?.about ?? '',
  ]);
  return markdownTable([['key', 'values', 'default', 'changes', 'meaning'], ...rows]);
}

/** The block as JSON Schema, for Harper's own schema of its root configuration. */
export function agentJsonSchema(): object {
  const schema = z.toJSONSchema(blockSchema, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.maximum === SAFE) delete jsonSchema.maximum;
      if (jsonSchema.minimum === -SAFE) delete jsonSchema.minimum;
    },
  });
  const { $schema: _draft, properties, ...rest } = schema;
  return {
    title: 'agent',
    description: 'The agent that runs on the main thread of this server. Off unless enabled.',
    ...rest,
    properties: Object.fromEntries(
      Object.entries(blockSchema.shape).map(([name, field]) => [
        name,
        { description: description(field), default: defaultOf(name, field), ...Object(properties?.[name]) },
      ]),
    ),
  };
}

function allowed(schema: z.ZodType): string {
  // No key takes this: the message says what it takes.
  const message = schema.safeParse(null).error?.issues[0]?.message ?? '';
  return message.slice(message.indexOf('must be ') + 'must be '.length);
}

function defaultText(name: string, schema: z.ZodType): string {
  const { byDefault, unit } = keyDocs.get(schema) ?? {};
  if (byDefault !== undefined) return byDefault;
  const value = defaultOf(name, schema);
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${shown}\`${unit === undefined ? '' : ` ${unit}`}`;
}

/** What the key is without a value; `undefined` where that is none. */
function defaultOf(name: string, schema: z.ZodType): unknown {
  return schema.parse(undefined) ?? settings[name] ?? undefined;
}

function description(schema: z.ZodType): string {
  const { about = '', unit } = keyDocs.get(schema) ?? {};
  return `${about.replaceAll(LINK, '.')}${unit === undefined ? '' : ` Counted in ${unit}.`}`;
}

/** Columns of one width, as the formatter leaves them. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const [head = [], ...body] = cells;
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
