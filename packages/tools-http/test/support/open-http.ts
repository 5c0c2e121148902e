import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { type HttpLimits, type SelfPort, httpTools } from '../../src/index.js';
import { callTool, toolsOf } from './call-tool.js';

const answer = z.object({
  url: z.string(),
  method: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  redirects: z.array(z.string()),
  bytes: z.number(),
  body: z.string().optional(),
  binary: z.string().optional(),
  charset: z.string().optional(),
});

/** `http_fetch` with these application ports and other ports of the server. */
export async function openHttp(
  apps: readonly number[],
  limits: Partial<HttpLimits> = {},
  others: readonly SelfPort[] = [],
) {
  const self = [...apps.map((port) => ({ host: '127.0.0.1', port, purpose: 'app' as const })), ...others];
  const provider = httpTools({ self, limits });
  const tools = await toolsOf(provider);
  return {
    provider,
    fetch: (input: object, signal?: AbortSignal) => callTool(tools, 'http_fetch', input, signal),
  };
}

/** The data of an answer, checked. */
export function dataOf({ data }: ToolOutput) {
  return answer.parse(data);
}
