/** One measured thing: a line of a table. `undefined` values were not measured. */
export interface Row {
  readonly table: string;
  readonly name: string;
  /** What a confirmed step survives, and how that was set. */
  readonly durability: string;
  readonly values: Readonly<Record<string, number | undefined>>;
}

/** A promise about a measured value. */
export interface Goal {
  /** Says what is compared with what, and whether `limit` is the most or the least. */
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly met: boolean;
}

/** What a section found. */
export interface Report {
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
}

/** A goal that a value stays at or below a limit. A value that is no number misses it. */
export function atMost(name: string, value: number, limit: number): Goal {
  return { name: `${name} (at most)`, value, limit, met: value <= limit };
}

/** A goal that a value reaches a limit. A value that is no number misses it. */
export function atLeast(name: string, value: number, limit: number): Goal {
  return { name: `${name} (at least)`, value, limit, met: value >= limit };
}

/** The report as text: one table after the other, then the goals. */
export function formatReport({ rows, goals }: Report): string {
  const tables = [...new Set(rows.map(({ table }) => table))].map((table) => {
    const lines = rows.filter((row) => row.table === table);
    const columns = [...new Set(lines.flatMap(({ values }) => Object.keys(values)))];
    const cells = lines.map(({ name, durability, values }) => [
      name,
      durability,
      ...columns.map((column) => formatNumber(values[column])),
    ]);
    return `${table}\n${formatCells([['', 'durability', ...columns], ...cells])}`;
  });
  const verdicts = goals.map(({ name, value, limit, met }) => [
    met ? 'met' : 'MISSED',
    name,
    formatNumber(value),
    `limit ${formatNumber(limit)}`,
  ]);
  return [...tables, `Goals\n${formatCells(verdicts)}`].join('\n\n');
}

function formatNumber(value: number | undefined): string {
  if (value === undefined) return '–';
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Text to the left, the columns from the third on to the right. */
function formatCells(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
