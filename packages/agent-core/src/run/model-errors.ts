/** What an error of a model call means for the run. */
export type ModelFailure =
  | { readonly kind: 'transient'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'window_exceeded' }
  | { readonly kind: 'final' };

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/**
 * Reads what hosts and provider clients put on their errors: `contextWindowExceeded`, `upstreamStatus` (the
 * provider's HTTP status), `retryAfterMs`, `retryAfter` in seconds or as a date, headers, network codes, causes.
 */
export function classifyModelError(error: unknown, now: number): ModelFailure {
  const chain = causesOf(error);
  if (chain.some((link) => link['contextWindowExceeded'] === true)) return { kind: 'window_exceeded' };
  const transient = chain.some(
    (link) => isTransientStatus(link['upstreamStatus']) || NETWORK_CODES.has(String(link['code'])),
  );
  if (!transient) return { kind: 'final' };
  const retryAfterMs = chain.map((link) => readRetryAfter(link, now)).find((ms) => ms !== undefined);
  return { kind: 'transient', retryAfterMs };
}

type Link = { readonly [key: string]: unknown };

function causesOf(error: unknown): readonly Link[] {
  const links: Link[] = [];
  for (let link = error; typeof link === 'object' && link !== null && links.length < 8;) {
    links.push(link as Link);
    link = (link as Link)['cause'];
  }
  return links;
}

function isTransientStatus(status: unknown): boolean {
  return typeof status === 'number' && (status === 408 || status === 429 || (status >= 500 && status <= 599));
}

function readRetryAfter(link: Link, now: number): number | undefined {
  const ms = link['retryAfterMs'];
  if (typeof ms === 'number' && ms >= 0) return ms;
  const value = link['retryAfter'] ?? headerOf(link['headers'] ?? link['responseHeaders'], 'retry-after');
  if (typeof value === 'number' && value >= 0) return value * 1000;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function headerOf(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name);
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
