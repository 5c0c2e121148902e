import { parse } from 'acorn';
import type { Program } from 'acorn';
import { offsetOf } from './offset-of.js';

/** A place in a script. */
export interface ScriptPlace {
  /** The script as V8 runs it. */
  readonly source: string;
  readonly isModule: boolean;
  /** V8's location; both from 0, the column in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

let last: { readonly source: string; readonly isModule: boolean; readonly program: Program } | undefined;

/** The syntax of a script, and where in it a place is; `undefined` where there is no such place. Throws for what it does not know. */
export function parsePlace({
  source,
  isModule,
  line,
  column,
}: ScriptPlace): { readonly program: Program; readonly offset: number } | undefined {
  const offset = offsetOf(source, line, column);
  if (offset === undefined) return undefined;
  // Questions about one script come one after the other.
  if (last?.source !== source || last.isModule !== isModule) {
    const sourceType = isModule ? 'module' : 'commonjs';
    last = { source, isModule, program: parse(source, { ecmaVersion: 'latest', sourceType }) };
  }
  return { program: last.program, offset };
}
