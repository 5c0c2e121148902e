import {
  AnyMap,
  LEAST_UPPER_BOUND,
  generatedPositionFor,
  originalPositionFor,
} from '@jridgewell/trace-mapping';

/** Lines after the one asked for that are tried where it has no code. */
const LINES_ON = 20;
const MOST_SOURCES = 10_000;

/** From 1, as everywhere here. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface MapQuestion {
  /** The source map, and the URL that its sources are relative to. */
  readonly map: { readonly text: string; readonly url: string };
  /** Positions in the script as loaded. */
  readonly loaded?: readonly Position[];
  /** A position in one of its sources. */
  readonly original?: { readonly url: string; readonly line: number; readonly column?: number };
}

export interface MapAnswer {
  /** URLs. */
  readonly sources: readonly string[];
  /** For each of `loaded` where it comes from, `null` where the map does not say. */
  readonly originals: readonly (({ readonly url: string } & Position) | null)[];
  /** Where `original` is in the script as loaded: the first code at or soon after it. */
  readonly generated: Position | null;
}

/** Answers from a source map; throws for what is none. Takes seconds for a large one: not for a thread that serves others. */
export function readSourceMap({ map: { text, url }, loaded = [], original }: MapQuestion): MapAnswer {
  const map = AnyMap(JSON.parse(text), url);
  const sources = map.resolvedSources.slice(0, MOST_SOURCES);
  return {
    sources,
    originals: loaded.map(({ line, column }) => {
      const needle = { line, column: column - 1 };
      const before = originalPositionFor(map, needle);
      // Before the first code of a line: that code.
      const found =
        before.source === null ? originalPositionFor(map, { ...needle, bias: LEAST_UPPER_BOUND }) : before;
      return found.source === null ? null : { url: found.source, line: found.line, column: found.column + 1 };
    }),
    generated: original === undefined ? null : findGenerated(map, original),
  };
}

function findGenerated(
  map: ReturnType<typeof AnyMap>,
  { url, line, column }: NonNullable<MapQuestion['original']>,
): Position | null {
  if (!map.resolvedSources.includes(url)) return null;
  for (let at = line; at <= line + LINES_ON; at += 1) {
    const from = at === line && column !== undefined ? column - 1 : 0;
    const found = generatedPositionFor(map, { source: url, line: at, column: from, bias: LEAST_UPPER_BOUND });
    if (found.line !== null) return { line: found.line, column: found.column + 1 };
  }
  return null;
}
