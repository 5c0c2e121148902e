import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff';

/** How long a comparison may take: what is over it is not shown. */
export interface DiffBounds {
  readonly milliseconds: number;
  readonly changedLines: number;
}

/** A unified diff with three lines around each change, or undefined where it would take longer than the bounds. */
export function unifiedDiff(
  path: string,
  before: string,
  after: string,
  { milliseconds, changedLines }: DiffBounds,
): string | undefined {
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    timeout: milliseconds,
    maxEditLength: changedLines,
    headerOptions: FILE_HEADERS_ONLY,
  });
}
