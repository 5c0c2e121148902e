import type { BigIntStats } from 'node:fs';
import { AgentError, type ToolOutput, ToolDeniedError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { Place } from '../root/scope.js';
import type { SecretsRule } from '../root/secrets.js';
import { type Tail, readLastLines, readSince } from '../search/read-tail.js';
import { decodeUtf8 } from '../text/utf8.js';
import { notTextAnswer } from './page-answer.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `tail_file`: the last lines of a file, or what was added since an earlier look. */
export function tailFileTool({ scope, jail, limits, secrets }: FsToolParts) {
  return defineTool({
    name: 'tail_file',
    description:
      `Shows the last lines of a text file such as a log, however large it is, up to ${limits.pageBytes} bytes. To follow ` +
      `it, give the offset and fileId of the last answer: then only whole new lines are shown, and the answer says when ` +
      `the file was rotated or truncated. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The file'),
      lines: z.int().min(1).optional().describe('Most lines. Default 50, with offset as many as fit.'),
      offset: z.int().min(0).optional().describe('Show what comes after this byte.'),
      fileId: z.string().max(64).optional().describe('Which file the offset was told for.'),
    }),
    effect: 'read',
    async execute(input, { signal }) {
      const place = await scope.locate(input.root, input.path, 'file');
      return jail.withFile(place, async ({ file, size, stats }) => {
        signal.throwIfAborted();
        const fileId = idOf(stats);
        const since = sinceWhere(input.offset, input.fileId, fileId, size);
        const { before: lookBack, after: lookAhead } = secrets.reach();
        const request = { maxBytes: limits.pageBytes, lookBack, lookAhead };
        const tail =
          since === undefined
            ? await readLastLines(file, size, { lines: input.lines ?? 50, ...request })
            : await readSince(file, size, since.offset, { lines: input.lines ?? Infinity, ...request });
        if (tail.bytes.includes(0)) return notTextAnswer({ place, size }, 'a binary file');
        const content = shownText(place.label, tail, secrets);
        return answer({ place, size, fileId, tail, content, ...(since?.why ? { why: since.why } : {}) });
      });
    },
  });
}

/** The same for as long as a file lives; another one in its place has another. */
function idOf({ ino, birthtimeMs }: BigIntStats): string {
  return `${ino.toString(36)}-${birthtimeMs.toString(36)}`;
}

/** Where to go on: at the beginning when the file is another one, or shorter, than it was. */
function sinceWhere(
  offset: number | undefined,
  expected: string | undefined,
  fileId: string,
  size: number,
): { readonly offset: number; readonly why?: string } | undefined {
  if (offset === undefined) return undefined;
  if (expected !== undefined && expected !== fileId) {
    return { offset: 0, why: 'another file since then (rotated): shown from its beginning' };
  }
  if (offset > size) {
    return { offset: 0, why: `shorter than offset ${offset} (truncated): shown from its beginning` };
  }
  return { offset };
}

function shownText(label: string, tail: Tail, secrets: SecretsRule): string {
  const text = decodeUtf8(tail.bytes);
  if (text === undefined) {
    throw new AgentError(
      'not_utf8',
      `${label} is not valid UTF-8 between bytes ${tail.offset} and ${tail.offset + tail.bytes.length}: Latin-1 or ` +
        `another encoding. It is not shown, as that would mangle it.`,
      { statusCode: 415 },
    );
  }
  const shown = secrets.show(text, tail);
  if (shown !== undefined) return shown.text;
  throw new ToolDeniedError(`${label}: its last part holds a private key (PEM), which is never shown.`);
}

function answer({
  place,
  size,
  fileId,
  tail,
  content,
  why,
}: {
  readonly place: Place;
  readonly size: number;
  readonly fileId: string;
  readonly tail: Tail;
  readonly content: string;
  readonly why?: string;
}): ToolOutput {
  const { offset, nextOffset, lines, unfinished } = tail;
  const shownUnfinished = unfinished > 0 && offset + tail.bytes.length > nextOffset;
  const head = [
    ...(why === undefined ? [] : [why]),
    tail.partial ? 'part of a long line' : `${lines} ${lines === 1 ? 'line' : 'lines'}`,
    `bytes ${offset}-${offset + tail.bytes.length} of ${size}`,
    ...(tail.cut ? ['not all: the limit is reached'] : []),
    ...(unfinished === 0 || tail.partial
      ? []
      : [
          shownUnfinished
            ? 'the last line is unfinished'
            : `an unfinished line of ${unfinished} bytes is left for later`,
        ]),
    `go on with offset ${nextOffset}, fileId '${fileId}'`,
  ];
  return {
    text: `[${place.path} in ${place.root.name}: ${head.join('; ')}]\n${content}`,
    data: {
      root: place.root.name,
      path: place.path,
      size,
      fileId,
      offset,
      nextOffset,
      lines,
      unfinished,
      content,
      ...(why === undefined ? {} : { restarted: true }),
    },
    ...(tail.cut ? { truncated: true } : {}),
  };
}
