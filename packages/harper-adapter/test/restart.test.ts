import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { startHost } from '@harperfast/agent-testkit/host';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const adapter = fileURLToPath(new URL('../dist/index.js', import.meta.url));
const model = fileURLToPath(new URL('models/restart-model.mjs', import.meta.url));

const sessionSchema = z.looseObject({
  status: z.string(),
  pendingApprovals: z.array(z.looseObject({ id: z.string(), toolName: z.string() })),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
});

async function start(): Promise<EmbeddedHost> {
  if (!existsSync(adapter)) throw new Error(`${adapter} is missing: run "npm run build" first`);
  const host = await startHost({
    builtins: { agent: adapter },
    config: {
      models: { generative: { default: { backend: model } } },
      threads: { count: 1 },
      agent: { enabled: true, allowDestructive: true, prices: { default: { input: 1, output: 1 } } },
    },
  });
  onTestFinished(() => host.stop());
  return host;
}

async function call(host: EmbeddedHost, operation: string, fields: object): Promise<unknown> {
  const { status, body } = await host.operation({ operation, ...fields });
  if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Watches a session over HTTP and resolves with the kinds of the events up to the first of this kind. */
async function watchUntil(host: EmbeddedHost, sessionId: string, kind: string): Promise<readonly string[]> {
  const { username, password } = host.admin;
  const leave = AbortSignal.timeout(20_000);
  const response = await fetch(host.operationsUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    },
    body: JSON.stringify({ operation: 'watch_agent_session', session_id: sessionId }),
    signal: leave,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    const kinds = [...text.matchAll(/^event: (\w+)\nid: \d+\ndata: \{.*\}\n\n/gm)].map(
      ([, name = '']) => name,
    );
    if (kinds.includes(kind)) return kinds;
  }
  throw new Error(`The stream ended before '${kind}': ${text}`);
}

describe('restart', { timeout: 60_000 }, () => {
  it('is run once when it was approved, and the run that asked for it goes on in the next process', async () => {
    const host = await start();
    const { session_id } = z
      .looseObject({ session_id: z.string() })
      .parse(await call(host, 'agent_prompt', { message: 'restart the server' }));
    expect(await watchUntil(host, session_id, 'ask')).toEqual(['prompt', 'round', 'ask']);
    const waiting = sessionSchema.parse(await call(host, 'get_agent_session', { session_id }));
    expect(waiting).toMatchObject({
      status: 'awaiting_approval',
      pendingApprovals: [{ toolName: 'restart' }],
    });

    const { pid } = host;
    await call(host, 'approve_agent_action', { session_id, approval_id: waiting.pendingApprovals[0]?.id });
    await host.waitForRestart();
    expect(host.pid).not.toBe(pid);
    expect(await watchUntil(host, session_id, 'end')).toEqual([
      'prompt',
      'round',
      'ask',
      'decision',
      'start',
      'result',
      'round',
      'end',
    ]);
    const done = sessionSchema.parse(await call(host, 'get_agent_session', { session_id }));
    expect(done.status).toBe('completed');
    expect(done.messages.at(-1)?.content).toBe('It is up again.');
    const log = await readFile(host.logPath, 'utf8');
    expect(log.match(/Agent component initialized/g)).toHaveLength(2);
  });
});
