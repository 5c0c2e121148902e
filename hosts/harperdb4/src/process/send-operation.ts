import type { OperationOptions } from '@harperfast/agent-testkit/host';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

const EVERY_MS = 100;
const LONGEST_MS = 30_000;
const bodySchema = z.looseObject({ operation: z.string() });
const codeSchema = z.object({ cause: z.object({ code: z.string() }) });

/**
 * Sends an operation. While workers are replaced nobody listens: what was refused then is sent again, and what was cut
 * off too where it only reads.
 */
export async function sendOperation(
  url: string,
  body: unknown,
  { as, headers, signal }: OperationOptions,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const authorization =
    as === undefined || as === 'nobody'
      ? {}
      : { authorization: `Basic ${Buffer.from(`${as.username}:${as.password}`).toString('base64')}` };
  const response = await fetchPatiently(
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    },
    onlyReads(body),
  );
  return { status: response.status, body: parsed(await response.text()) };
}

/** As `fetch`, again and again while the connection is refused; with `again` also when it was cut off. */
export async function fetchPatiently(url: string, init: RequestInit, again: boolean): Promise<Response> {
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    try {
      return await fetch(url, init);
    } catch (error) {
      const failed = codeSchema.safeParse(error);
      const refused = failed.success && failed.data.cause.code === 'ECONNREFUSED';
      if (!failed.success || !(refused || again) || Date.now() > end) throw error;
      await delay(EVERY_MS);
    }
  }
}

function onlyReads(body: unknown): boolean {
  const found = bodySchema.safeParse(body);
  return found.success && /^(get|list|describe|search|user_info)/.test(found.data.operation);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
