import type { MarkdownWriter } from './markdown-writer.js';

interface Table {
  /** Cells of the open row, and how many of the marks between them are written. */
  cells: number;
  marks: number;
  /** The line of dashes is written. */
  headed: boolean;
  inCell: boolean;
  /** It holds a table itself, so it only arranges the page: its cells are blocks. */
  layout: boolean;
}

/** What the elements of a table do to the Markdown. */
export interface TableRules {
  begin(name: string): (() => void) | undefined;
  /** Readies the open cell for a text; the answer is the text as a cell can hold it. */
  inCell(text: string): string;
}

/** Rows become lines of cells, empty ones none. A table that holds another one is layout, and its cells are blocks. */
export function createTableRules(writer: MarkdownWriter): TableRules {
  const tables: Table[] = [];

  function table(): () => void {
    const outer = tables.at(-1);
    if (outer?.inCell === true) {
      writer.leaveLine();
      outer.inCell = false;
    }
    if (outer !== undefined) outer.layout = true;
    writer.break(2);
    tables.push({ cells: 0, marks: 0, headed: false, inCell: false, layout: false });
    return () => {
      tables.pop();
      writer.break(2);
    };
  }

  /** Marks up to the one before the last cell, or after it. */
  function mark(row: Table, upTo: number): void {
    for (; row.marks < upTo; row.marks += 1) writer.raw('|');
  }

  function row(current: Table): () => void {
    writer.break(1);
    current.cells = 0;
    current.marks = 0;
    return () => {
      if (!current.layout && current.marks > 0) {
        mark(current, current.cells + 1);
        writer.break(1);
        if (!current.headed) writer.raw(`|${' --- |'.repeat(current.cells)}`);
        current.headed = true;
      }
      writer.break(1);
    };
  }

  function cell(current: Table): () => void {
    if (current.layout) {
      writer.break(1);
      return () => writer.break(1);
    }
    current.cells += 1;
    current.inCell = true;
    writer.enterLine();
    return () => {
      if (current.inCell) writer.leaveLine();
      else writer.break(1);
      current.inCell = false;
    };
  }

  return {
    begin(name) {
      if (name === 'table') return table();
      const current = tables.at(-1);
      if (current === undefined) return undefined;
      if (name === 'tr') return row(current);
      return name === 'td' || name === 'th' ? cell(current) : undefined;
    },
    inCell(text) {
      const current = tables.at(-1);
      if (current?.inCell !== true || text.trim() === '') return text;
      mark(current, current.cells);
      return text.replaceAll('|', '\\|');
    },
  };
}
