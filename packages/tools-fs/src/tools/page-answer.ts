import {
  AgentError,
  REDACTION_MARK,
  type ToolOutput,
  ToolDeniedError,
} from '@harperfast/agent-core/contracts';
import type { MaskedText } from '../root/mask-values.js';
import type { Place } from '../root/scope.js';
import type { SecretsRule } from '../root/secrets.js';
import type { NoPage, Page } from '../text/read-page.js';
import { decodeUtf8, describeNotUtf8 } from '../text/utf8.js';

/** The file an answer is about. */
export interface Subject {
  readonly place: Place;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Of the whole file, where it can be changed: what `expected` takes. */
  readonly hash?: string;
}

/**
 * A page as the model reads it: one line in brackets, then the text exactly as it is. `firstLine` is the number of its
 * first line where that is known. Throws where the bytes are no UTF-8 or hold a private key.
 */
export function pageAnswer(
  subject: Subject,
  page: Page,
  firstLine: number | undefined,
  secrets: SecretsRule,
): ToolOutput {
  if (page.bytes.includes(0)) return notTextAnswer(subject, 'a binary file');
  const { text: content, masked } = decode(subject, page, secrets);
  const shown = describePage(page, firstLine);
  const head = [
    shown.totalLines === 0 ? 'empty' : partName(page, firstLine, shown),
    `${subject.size} bytes in all`,
    ...(page.offset === 0 && content.startsWith('\uFEFF') ? ['begins with a byte order mark'] : []),
    ...(masked === 0 ? [] : [`${REDACTION_MARK} stands for a secret (${masked})`]),
    ...(content.includes('\r\n') ? ['lines end in CRLF'] : []),
    ...(page.atEnd ? [] : [goOn(page, firstLine, shown)]),
  ];
  return {
    ...answer(subject, head.join('; '), { offset: page.offset, ...shown, content }, content),
    ...(page.atEnd ? {} : { truncated: true }),
  };
}

/** The answer for a file that is not text: what it is and how large, none of its bytes. */
export function notTextAnswer(subject: Subject, what: string): ToolOutput {
  return { ...answer(subject, `${what}, ${subject.size} bytes; not shown`, { kind: what }), truncated: true };
}

/** The answer where the file has no such line, or has it too far in. */
export function noPageAnswer(subject: Subject, startLine: number, why: NoPage): ToolOutput {
  if ('totalLines' in why) {
    const lines = why.totalLines === 1 ? '1 line' : `${why.totalLines} lines`;
    const head = `${lines}, ${subject.size} bytes; startLine ${startLine} is past the end`;
    return answer(subject, head, { totalLines: why.totalLines, content: '' });
  }
  const head =
    `line ${startLine} lies more than ${why.scanned} bytes into a file of ${subject.size} bytes; ` +
    `give an offset instead (line ${why.line} goes on at offset ${why.scanned})`;
  return { ...answer(subject, head, { nextOffset: why.scanned, content: '' }), truncated: true };
}

interface Shown {
  readonly startLine?: number;
  readonly endLine?: number;
  readonly totalLines?: number;
  readonly nextStartLine?: number;
  readonly nextOffset?: number;
}

function describePage(page: Page, firstLine: number | undefined): Shown {
  const nextOffset = page.atEnd ? {} : { nextOffset: page.offset + page.bytes.length };
  if (firstLine === undefined || page.partial) return nextOffset;
  const endLine = firstLine + page.lines - 1;
  const lines = { startLine: firstLine, endLine };
  return page.atEnd
    ? { ...lines, totalLines: endLine }
    : { ...lines, nextStartLine: endLine + 1, ...nextOffset };
}

function partName(page: Page, firstLine: number | undefined, shown: Shown): string {
  if (shown.startLine !== undefined) {
    const lines =
      shown.startLine === shown.endLine
        ? `line ${shown.startLine}`
        : `lines ${shown.startLine}-${shown.endLine}`;
    return shown.totalLines === undefined ? lines : `${lines} of ${shown.totalLines}`;
  }
  if (page.bytes.length === 0) return `nothing at offset ${page.offset}`;
  const bytes = `bytes ${page.offset}-${page.offset + page.bytes.length}`;
  if (!page.partial) return bytes;
  return `part of ${firstLine === undefined ? 'a line' : `line ${firstLine}`}, ${bytes}`;
}

function goOn(page: Page, firstLine: number | undefined, shown: Shown): string {
  if (shown.nextStartLine !== undefined) return `go on with startLine ${shown.nextStartLine}`;
  const skip = firstLine === undefined ? '' : `, or behind this line with startLine ${firstLine + 1}`;
  return `go on with offset ${page.offset + page.bytes.length}${page.partial ? skip : ''}`;
}

function decode({ place, size }: Subject, page: Page, secrets: SecretsRule): MaskedText {
  const content = decodeUtf8(page.bytes);
  if (content === undefined) {
    throw new AgentError(
      'not_utf8',
      `${place.label} (${size} bytes) is ${describeNotUtf8(page.bytes, page.offset)}. ` +
        `It is not shown, as that would mangle it.`,
      { statusCode: 415 },
    );
  }
  const shown = secrets.show(content, page);
  if (shown === undefined) {
    throw new ToolDeniedError(
      `${place.label}: this part holds a private key (PEM), which is never shown. ` +
        `Read other parts of the file with startLine and maxLines.`,
    );
  }
  return shown;
}

function answer({ place, size, hash }: Subject, head: string, data: object, content?: string): ToolOutput {
  const known = hash === undefined ? {} : { hash };
  const line = `[${place.path} in ${place.root.name}: ${head}${hash === undefined ? '' : `; hash ${hash}`}]`;
  return {
    text: content === undefined ? line : `${line}\n${content}`,
    data: { root: place.root.name, path: place.path, size, ...known, ...data },
  };
}
