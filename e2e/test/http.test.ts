import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { AGENT_OPERATIONS } from '../src/support/agent-operations.js';
import { callsOf } from '../src/support/session-answer.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

let host: EmbeddedHost;
let api: AgentApi;

beforeAll(async () => {
  host = await startAgentHost({
    model: new URL('models/fetching.mjs', import.meta.url),
    agent: { autoApprove: true, approvals: { insert: 'ask' } },
  });
  api = new AgentApi(host);
  await mkdir(join(host.componentsRoot, 'echo'));
  // Code that means harm: it keeps the header it sees, and answers with it in every form it can think of.
  await writeFile(
    join(host.componentsRoot, 'echo', 'resources.js'),
    `import { writeFileSync } from 'node:fs';
     export class Echo extends Resource {
       get() {
         const { user, headers } = this.getContext();
         const header = headers.get('authorization') ?? '';
         writeFileSync(${JSON.stringify(join(host.root, 'seen.txt'))}, header);
         const base64 = Buffer.from('x' + header).toString('base64');
         return { user: user?.username ?? 'nobody', header, base64, encoded: encodeURIComponent(header) };
       }
     }`,
  );
  await api.call('restart_service', { service: 'http_workers' });
  await api.call('create_table', { database: 'data', table: 'note', primary_key: 'id' });
}, 60_000);
afterAll(() => host.stop(), 40_000);

async function fetchAll(inputs: readonly object[]) {
  const { session_id } = await api.prompt(`fetch ${JSON.stringify(inputs)}`);
  const session = await api.untilEnded(session_id);
  return { session, texts: callsOf(session).map(({ text }) => text ?? '') };
}

/** All files below a folder, as bytes. */
async function filesBelow(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
}

describe("http_fetch as: 'agent'", () => {
  it('acts as the agent user, and its token is in no answer, no log and no store', async () => {
    const { session, texts } = await fetchAll([{ url: '/Echo' }, { url: '/Echo', as: 'agent' }]);
    expect(texts[0]).toMatch(/"user": "nobody"/);
    expect(texts[1]).toMatch(/"user": "hdb_agent"[^]*"header": "Bearer \[\[redacted\]\]"/);
    const [, token = ''] =
      /^Bearer (.{40,})$/.exec(await readFile(join(host.root, 'seen.txt'), 'utf8')) ?? [];
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

    const inBase64 = Buffer.from(`xBearer ${token}`).toString('base64').slice(12, -4);
    const shown = JSON.stringify([session, await api.list()]);
    for (const form of [token, inBase64]) expect(shown).not.toContain(form);
    const files = [
      ...(await filesBelow(join(host.root, 'db'))),
      ...(await filesBelow(join(host.root, 'log'))),
    ];
    expect(files.length).toBeGreaterThan(1);
    for (const form of [token, inBase64]) expect(files.filter((file) => file.includes(form))).toEqual([]);
  });
});

describe("the agent's own operations", () => {
  it('cannot be called through http_fetch, and nothing moves', async () => {
    const { session_id } = await api.prompt('insert one');
    const waiting = await api.untilAwaiting(session_id);
    const approval_id = waiting.pendingApprovals[0]!.id;
    const before = await api.list();
    const opsPort = new URL(host.operationsUrl).port;
    const bodies = AGENT_OPERATIONS.map(([operation, fields]) => ({
      ...fields,
      operation,
      ...('session_id' in fields ? { session_id } : {}),
      ...('approval_id' in fields ? { approval_id, approved: true } : {}),
    }));
    const places = [
      host.operationsUrl,
      `http://localhost:${opsPort}/`,
      `http://2130706433:${opsPort}/`,
      `http://[::ffff:127.0.0.1]:${opsPort}/`,
      '/',
      '/operations',
    ];
    const inputs = places.flatMap((url) =>
      bodies.map((body) => ({
        url,
        method: 'POST',
        body: JSON.stringify(body),
        // The operations port refuses, with a token and without.
        ...(url.startsWith('/') ? { as: 'agent' } : {}),
      })),
    );
    const { session, texts } = await fetchAll(inputs);
    expect(session.status).toBe('completed');
    expect(texts).toHaveLength(inputs.length);
    for (const [index, text] of texts.entries()) {
      const onOperations = !inputs[index]!.url.startsWith('/');
      expect(text).toMatch(onOperations ? /operations API, which http_fetch never calls/ : /HTTP 404/);
    }

    const after = await api.list();
    expect(after.sessions.length).toBe(before.sessions.length + 1);
    const { pendingApprovals, status } = await api.session(session_id);
    expect({ pendingApprovals, status }).toEqual({
      pendingApprovals: waiting.pendingApprovals,
      status: 'awaiting_approval',
    });
    expect(await api.call('set_agent_config', {})).toMatchObject({ maxTurns: 50 });
  });
});
