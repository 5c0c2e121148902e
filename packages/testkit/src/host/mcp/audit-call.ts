import { messageOf } from '../host-error.js';
import type { HostLogger } from '../log/open-log.js';
import type { McpProfile } from './tool.js';

const SECRET_KEY = /secret|password|token|api[-_]?key|credentials?|auth/i;
const SECRET_KEYS: ReadonlySet<string> = new Set(['value', 'values', 'envelope']);

export interface AuditedCall {
  readonly profile: McpProfile;
  readonly sessionId: string;
  readonly tool: string;
  readonly user: string;
  readonly args: unknown;
}

/** Runs a call that came over the wire and logs one line of JSON about it, its secrets left out. */
export async function auditCall<
  Result extends { readonly isError?: boolean | undefined; readonly content: unknown },
>(logger: HostLogger, call: AuditedCall, run: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const log = (status: 'ok' | 'error', errorMessage?: string) =>
    logger.info(
      JSON.stringify({
        category: 'mcp.audit',
        ...call,
        sessionId: `${call.sessionId.slice(0, 4)}…`,
        args: redacted(call.args),
        status,
        durationMs: Math.round(performance.now() - started),
        ...(errorMessage !== undefined && { errorMessage }),
      }),
    );
  try {
    const result = await run();
    if (result.isError === true) log('error', JSON.stringify(result.content));
    else log('ok');
    return result;
  } catch (error) {
    log('error', messageOf(error));
    throw error;
  }
}

function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET_KEY.test(key) || SECRET_KEYS.has(key) ? '[redacted]' : redacted(item),
    ]),
  );
}
