import type { FileAnswer, GrepAnswer, GrepRequest } from './requests.js';
import { type Stopped, bytesOf } from './grep-file.js';

/** What all shares found, in the order of the walk. */
export interface MergedGrep {
  readonly files: readonly FileAnswer[];
  readonly searched: number;
  readonly binary: readonly string[];
  readonly keys: readonly string[];
  readonly unreadable: readonly string[];
  readonly stopped: Stopped | undefined;
}

/** Puts the shares together and cuts what is over the limits. A share that stopped had filled an answer by itself. */
export function mergeShares(
  shares: readonly GrepAnswer[],
  { most, mostBytes, show }: Pick<GrepRequest, 'most' | 'mostBytes' | 'show'>,
): MergedGrep {
  const files: FileAnswer[] = [];
  let used = 0;
  let bytes = 0;
  let full = false;
  for (const file of shares
    .flatMap((share) => share.files)
    .toSorted((one, other) => one.index - other.index)) {
    full = used >= most || bytes > mostBytes;
    if (full) break;
    bytes += file.path.length;
    const shown = show === 'lines' ? firstLines(file, most - used, mostBytes - bytes) : file;
    files.push(shown);
    full = shown.lines.length < file.lines.length || (show === 'lines' && file.stopped === 'limit');
    if (full) break;
    used += show === 'lines' ? file.matches : 1;
    bytes += bytesOf(file.lines);
  }
  const late = shares.some(({ stopped }) => stopped === 'time');
  const limited = full || shares.some(({ stopped }) => stopped === 'limit');
  const all = (list: (share: GrepAnswer) => readonly string[]) =>
    [...new Set(shares.flatMap(list))].toSorted();
  return {
    files,
    searched: shares.reduce((sum, { searched }) => sum + searched, 0),
    binary: all(({ binary }) => binary),
    keys: all(({ keys }) => keys),
    unreadable: all(({ unreadable }) => unreadable),
    stopped: late ? 'time' : limited ? 'limit' : undefined,
  };
}

/** The file with the lines that still fit: up to so many matches, and to the one that is over the bytes. */
function firstLines(file: FileAnswer, matches: number, bytes: number): FileAnswer {
  let count = 0;
  let used = 0;
  const end = file.lines.findIndex(({ match, text }) => {
    if (used > bytes || (match && count === matches)) return true;
    count += match ? 1 : 0;
    used += text.length;
    return false;
  });
  return end === -1 ? file : { ...file, lines: file.lines.slice(0, end), matches: count };
}
