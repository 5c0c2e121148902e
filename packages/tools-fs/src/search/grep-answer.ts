import type { ToolOutput } from '@harperfast/agent-core/contracts';
import type { Place } from '../root/scope.js';
import type { GrepLine } from './grep-file.js';
import type { MergedGrep } from './merge-shares.js';
import { quotePath, stopNote } from './notes.js';
import type { FileAnswer, GrepRequest } from './requests.js';

/**
 * What a search found, as the model reads it: a line in brackets, then each file with its lines under it, `12:` before one
 * that matched and `12-` before one beside it; or one file a line.
 */
export function grepAnswer(
  place: Place,
  show: GrepRequest['show'],
  found: MergedGrep,
  pathFromRoot: (path: string) => string,
  milliseconds: number,
): ToolOutput {
  const files = found.files.map((file) => ({ ...file, path: pathFromRoot(file.path) }));
  const [binary, keys, unreadable] = [found.binary, found.keys, found.unreadable].map((paths) =>
    paths.map(pathFromRoot),
  );
  const matches = files.reduce((sum, file) => sum + file.matches, 0);
  const head = [
    `${show === 'files' ? '' : `${count(matches, 'matching line')} in `}${count(files.length, 'file')}`,
    `${count(found.searched, 'file')} searched`,
    ...stopNote(found.stopped, milliseconds),
    ...withheld('binary, not shown', binary),
    ...withheld('with a private key, never shown', keys),
    ...withheld('unreadable', unreadable),
  ];
  const body = files.map((file) => fileText(file, show));
  return {
    text: [`[${place.path} in ${place.root.name}: ${head.join('; ')}]`, ...body].join('\n'),
    data: {
      root: place.root.name,
      files: files.map(({ path, matches: count, lines }) => ({
        path,
        ...(show === 'files' ? {} : { matches: count }),
        ...(show === 'lines' ? { lines } : {}),
      })),
      searched: found.searched,
      binary,
      keys,
      unreadable,
      stopped: found.stopped,
    },
    ...(found.stopped === undefined ? {} : { truncated: true }),
  };
}

function fileText({ path, matches, lines }: FileAnswer, show: GrepRequest['show']): string {
  if (show === 'files') return quotePath(path);
  if (show === 'counts') return `${quotePath(path)}: ${matches}`;
  const shown = lines.flatMap((line, index) => {
    const gap = index > 0 && line.number !== (lines[index - 1]?.number ?? 0) + 1;
    const besides = lines.some(({ match }) => !match);
    return gap && besides ? ['--', lineText(line)] : [lineText(line)];
  });
  return [quotePath(path), ...shown].join('\n');
}

function lineText({ number, match, text, cut }: GrepLine): string {
  return `${number}${match ? ':' : '-'} ${text}${cut ? ' [part of a long line]' : ''}`;
}

function withheld(why: string, paths: readonly string[] = []): readonly string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, 3).map(quotePath).join(', ');
  return [`${count(paths.length, 'file')} ${why} (${named}${paths.length > 3 ? ', …' : ''})`];
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
