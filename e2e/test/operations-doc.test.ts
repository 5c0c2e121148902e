import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_OPERATIONS } from '../src/support/agent-operations.js';
import { pollUntil } from '../src/support/poll-until.js';
import { startAgentHost } from '../src/support/start-agent-host.js';
import { readDocPage } from './support/doc-examples.js';
import type { DocExample } from './support/doc-examples.js';
import { compareShape, fillIn } from './support/doc-shape.js';
import { readEvents } from './support/read-events.js';

const page = readDocPage(await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8'));
const captured = new Map<string, string>();
/** Operations that a client repeats until the session is where it should be. */
const POLLED = /"operation": ?"(get_agent_session|list_agent_sessions)"/;

const notified: unknown[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    notified.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(204).end();
  });
});
let host: EmbeddedHost;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  host = await startAgentHost({
    admin: { username: 'admin', password: 'password' },
    model: new URL('models/operations-doc.mjs', import.meta.url),
    agent: {
      allowDestructive: true,
      approvals: { insert: 'ask' },
      notify: { url: `http://127.0.0.1:${port}/` },
    },
  });
}, 60_000);
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await host.stop();
}, 40_000);

describe('docs/operations.md', () => {
  it('shows only what a host answers', { timeout: 60_000 }, async () => {
    expect(page.examples.length).toBeGreaterThan(20);
    for (const example of page.examples) {
      const run = () => differencesOf(example);
      const differences = POLLED.test(example.request.body)
        ? await pollUntil(run, (found) => found.length === 0).catch(run)
        : await run();
      expect.soft(differences, example.request.command).toEqual([]);
    }
  });

  it('shows only what a webhook gets', async () => {
    expect(page.bodies.length).toBeGreaterThan(0);
    for (const body of page.bodies) {
      const shown: unknown = JSON.parse(body);
      const met = () => notified.some((came) => compareShape(shown, came, new Map(captured)).length === 0);
      await pollUntil(
        async () => met() || JSON.stringify(notified),
        (found) => found === true,
      );
    }
  });

  it('shows an example of every operation and of what it refuses', () => {
    const kinds = page.examples.map(({ request, status }) => {
      const { operation }: { operation: unknown } = JSON.parse(request.body);
      return `${String(operation)} ${status < 400 ? 'answers' : 'refuses'}`;
    });
    const wanted = AGENT_OPERATIONS.flatMap(([name]) => [`${name} answers`, `${name} refuses`]);
    expect(kinds).toEqual(expect.arrayContaining(wanted));
  });
});

/** How the answer of the host differs from the one the page shows; placeholders are kept where it does not. */
async function differencesOf({ request, status, answer }: DocExample): Promise<string[]> {
  expect(request.url).toBe('http://localhost:9925');
  const leave = new AbortController();
  const response = await fetch(host.operationsUrl, {
    method: 'POST',
    headers: {
      ...request.headers,
      authorization: `Basic ${Buffer.from(request.user).toString('base64')}`,
    },
    body: fillIn(request.body, captured),
    signal: AbortSignal.any([leave.signal, AbortSignal.timeout(30_000)]),
  });
  const seen = new Map(captured);
  const differences: string[] = [];
  if (response.status !== status) differences.push(`status ${response.status}: ${await response.text()}`);
  else if (response.headers.get('content-type') === 'text/event-stream') {
    const shown = await readEvents([Buffer.from(`${answer}\n`)], Infinity);
    differences.push(...compareShape(shown, await readEvents(response.body ?? [], shown.length), seen));
  } else differences.push(...compareShape(JSON.parse(answer), await response.json(), seen));
  leave.abort();
  if (differences.length === 0) for (const [name, value] of seen) captured.set(name, value);
  return differences;
}
