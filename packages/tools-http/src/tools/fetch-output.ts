import { STATUS_CODES } from 'node:http';
import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { decodeBody } from '../fetch/decode-body.js';
import type { FetchAnswer } from '../fetch/guarded-fetch.js';

/** Headers that tell a model something; `data` holds them all. */
const SHOWN = [
  'content-type',
  'location',
  'allow',
  'www-authenticate',
  'retry-after',
  'etag',
  'last-modified',
];

/** An answer as the model reads it: status line, a few headers, an empty line, the body or what it is. */
export function fetchOutput(answer: FetchAnswer, maxBytes: number): ToolOutput {
  const { status, headers, body, truncated } = answer;
  const decoded = decodeBody(body, {
    contentType: headers.get('content-type'),
    contentEncoding: headers.get('content-encoding'),
    truncated,
  });
  const shown =
    'binary' in decoded ? `[binary: ${decoded.binary}, ${lengthOf(answer)}; not shown]` : decoded.text;
  const total = headers.has('content-length') ? ` of ${headers.get('content-length')}` : '';
  const lines = [
    `HTTP ${`${status} ${STATUS_CODES[status] ?? ''}`.trim()} from ${answer.method} ${answer.url}`,
    ...(answer.redirects.length === 0 ? [] : [`redirected from: ${answer.redirects.join(' → ')}`]),
    ...SHOWN.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])),
    ...(truncated ? [`[only the first ${maxBytes} bytes${total} of the body follow]`] : []),
    '',
    body.length === 0 ? '[no body]' : shown,
  ];
  return {
    text: lines.join('\n'),
    data: {
      url: answer.url,
      method: answer.method,
      status,
      headers: Object.fromEntries(headers),
      redirects: answer.redirects,
      durationMs: answer.durationMs,
      bytes: body.length,
      ...('binary' in decoded
        ? { binary: decoded.binary }
        : { body: decoded.text, charset: decoded.charset }),
    },
    ...(truncated || 'binary' in decoded ? { truncated: true } : {}),
  };
}

function lengthOf({ headers, body, truncated }: FetchAnswer): string {
  const announced = headers.get('content-length');
  if (announced !== undefined) return `${announced} bytes`;
  return truncated ? `more than ${body.length} bytes` : `${body.length} bytes`;
}
