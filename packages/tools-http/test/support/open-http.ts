import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type HttpToolsOptions, httpTools } from '../../src/index.js';
import { callTool, toolsOf } from './call-tool.js';

const answer = z.object({
  url: z.string(),
  method: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  redirects: z.array(z.string()),
  bytes: z.number(),
  kind: z.enum(['page', 'json', 'text', 'binary', 'none']),
  body: z.string(),
  charset: z.string().optional(),
  notFollowed: z.string().optional(),
});

/** `http_fetch` of a server whose application answers on this port of 127.0.0.1. Closed when the test ends. */
export async function openHttp(appPort: number | undefined, options: HttpToolsOptions = {}) {
  const app = appPort === undefined ? {} : { app: { host: '127.0.0.1', port: appPort } };
  const provider = httpTools({ ...options, self: { ...app, ...options.self } });
  onTestFinished(() => provider.close());
  const tools = await toolsOf(provider);
  const [tool] = tools;
  if (tool === undefined) throw new Error('httpTools brought no tool');
  return {
    provider,
    fetch: (input: object, signal?: AbortSignal) => callTool(tools, 'http_fetch', input, signal),
    effect: (input: object) => {
      const { effect } = tool;
      return typeof effect === 'function' ? effect(tool.input.parse(input)) : effect;
    },
  };
}

/** The data of an answer, checked. */
export function dataOf({ data }: ToolOutput) {
  return answer.parse(data);
}
