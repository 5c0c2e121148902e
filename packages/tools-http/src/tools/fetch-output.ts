import { STATUS_CODES } from 'node:http';
import type { ToolOutput } from '@harperfast/agent-core/contracts';
import type { FetchAnswer } from '../fetch/guarded-fetch.js';
import { maskToken } from './mask-token.js';
import type { ShownBody } from './show-body.js';

const LONGEST_HEADER = 500;
const MOST_HEADER_CHARACTERS = 4000;

/**
 * An answer as the model reads it: status line with timing, headers, notes, an empty line, the body. `secret`, a token
 * that was sent, is masked wherever the answer repeats it.
 */
export function fetchOutput(answer: FetchAnswer, shown: ShownBody, secret: string | undefined): ToolOutput {
  const mask = (text: string): string => maskToken(text, secret);
  const { status, method, url, redirects, headersMs, durationMs } = answer;
  const headers = [...answer.headers].map(([name, value]) => [mask(name), mask(value)] as const);
  const reason = STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`;
  const lines = [
    `HTTP ${status}${reason} from ${method} ${url} (headers after ${headersMs} ms, all after ${durationMs} ms)`,
    ...(redirects.length === 0 ? [] : [`redirected from: ${redirects.join(' → ')}`]),
    ...headerLines(headers),
    ...(answer.notFollowed === undefined ? [] : [`[redirect not followed: ${answer.notFollowed}]`]),
    ...shown.notes,
    '',
    shown.text,
  ];
  return {
    text: mask(lines.join('\n')),
    data: {
      url: mask(url),
      method,
      status,
      headers: Object.fromEntries(headers),
      redirects: redirects.map(mask),
      headersMs,
      durationMs,
      bytes: answer.body.bytes.length,
      kind: shown.kind,
      body: mask(shown.text),
      ...(shown.charset === undefined ? {} : { charset: shown.charset }),
      ...(answer.notFollowed === undefined ? {} : { notFollowed: mask(answer.notFollowed) }),
    },
    ...(shown.incomplete ? { truncated: true } : {}),
  };
}

function headerLines(headers: readonly (readonly [string, string])[]): string[] {
  const lines: string[] = [];
  let room = MOST_HEADER_CHARACTERS;
  for (const [name, value] of headers) {
    const line = `${name}: ${value.length > LONGEST_HEADER ? `${value.slice(0, LONGEST_HEADER)}…` : value}`;
    room -= line.length;
    if (room < 0) return [...lines, `[${headers.length - lines.length} more headers]`];
    lines.push(line);
  }
  return lines;
}
