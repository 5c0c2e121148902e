import { readFile } from 'node:fs/promises';
import { ScriptedModel, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TestHost } from '../../support/open-host.js';
import { startAgent } from '../../support/start-agent.js';

const rowsSchema = z.array(
  z.looseObject({ session_id: z.string(), status: z.string(), messages: z.array(z.unknown()) }),
);
const SECRET = `sk-ant-api03-${'Zk3'.repeat(31)}`;

/** What Harper's first agent left in its table. */
async function fixture() {
  const text = await readFile(new URL('sessions.json', import.meta.url), 'utf8');
  return rowsSchema.parse(JSON.parse(text.replaceAll('sk-ant-REPLACED-BY-THE-TEST', SECRET)));
}

/** A host on whose table the first agent has worked. */
async function setUp(model = new ScriptedModel([]), more: readonly { readonly session_id: string }[] = []) {
  const rows = await fixture();
  const started = await startAgent(
    model,
    {},
    {
      async prepare(host) {
        const table = host.ensureTable({
          database: 'system',
          table: 'hdb_agent_session',
          attributes: [
            { name: 'session_id', isPrimaryKey: true },
            { name: 'user', indexed: true },
            { name: 'status', indexed: true },
            { name: 'messages' },
            { name: 'pendingApprovals' },
            { name: 'createdAt' },
            { name: 'updatedAt', indexed: true },
          ],
          replicate: true,
          audit: true,
        });
        await host.transaction(async (context) => {
          await Promise.all([...rows, ...more].map((row) => table.put(row.session_id, row, context)));
        });
      },
    },
  );
  return { ...started, rows, stored: (id: string) => storedRow(started.host, id) };
}

function storedRow(host: TestHost, id: string): Promise<unknown> {
  return Promise.resolve(host.tables.table('system', 'hdb_agent_session').get(id));
}

describe("sessions of Harper's first agent", () => {
  it('are listed and shown as they are, and nothing changes by it', async () => {
    const { host, call, rows, stored } = await setUp();
    const listed = await call('list_agent_sessions');
    expect(Object(listed['sessions']).map((session: { session_id: string }) => session.session_id)).toEqual(
      rows.map(({ session_id }) => session_id).toReversed(),
    );
    expect(JSON.stringify(listed)).not.toContain('Let me look');
    expect(await call('list_agent_sessions', { status: 'awaiting_approval' })).toMatchObject({
      sessions: [{ session_id: '1d2a-waiting', schema_version: 0, pendingApprovals: [{ id: 'apr-1' }] }],
    });
    for (const row of rows) {
      const shown = await call('get_agent_session', { session_id: row.session_id });
      expect(shown).toMatchObject({ ...row, schema_version: 0, cost_usd: 0 });
      expect(await stored(row.session_id)).toMatchObject(row);
    }
    expect(await call('get_agent_session', { session_id: '0c4f7d1e-finished' })).toMatchObject({
      title: 'describe the schema',
    });
    expect(host.log.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('come with those of this agent on one page after the other', async () => {
    const { call, settled, rows } = await setUp(new ScriptedModel([reply('hi')]));
    await settled((await call('agent_prompt', { message: 'new' }))['session_id']);
    const ids: string[] = [];
    let cursor: unknown;
    do {
      const page = await call('list_agent_sessions', {
        limit: 2,
        ...(typeof cursor === 'string' ? { cursor } : {}),
      });
      ids.push(...Object(page['sessions']).map((session: { session_id: string }) => session.session_id));
      cursor = page['cursor'];
    } while (cursor !== null);
    expect(ids).toHaveLength(rows.length + 1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('go on here with the first prompt: the transcript becomes entries, and the model reads all of it', async () => {
    const model = new ScriptedModel([
      (request) => {
        expect(request.messages.map(({ role }) => role)).toEqual([
          'user',
          'assistant',
          'tool',
          'tool',
          'assistant',
          'tool',
          'assistant',
          'user',
        ]);
        expect(JSON.stringify(request.messages)).not.toContain(SECRET);
        return reply('Yes, one.');
      },
    ]);
    const { call, settled, stored } = await setUp(model);
    const session_id = '0c4f7d1e-finished';
    expect(await call('agent_prompt', { session_id, message: 'only one?' })).toMatchObject({
      session_id,
      status: 'running',
    });
    const session = await settled(session_id);
    expect(session).toMatchObject({
      schema_version: 1,
      status: 'completed',
      user: 'alice',
      title: 'describe the schema',
      createdAt: 1000,
      totals: { rounds: 4, tool_calls: 3 },
    });
    const { entries } = await call('get_agent_session', { session_id, after_seq: 0 });
    expect(entries).toMatchObject([
      { kind: 'prompt', seq: 1, at: 1000, source: 'operator', by: 'alice' },
      {
        kind: 'round',
        seq: 2,
        costMicros: 0,
        usage: { promptTokens: 0, completionTokens: 0 },
        calls: [
          { name: 'describe_all' },
          { name: 'read_file', arguments: { path: 'hello/config.yaml', lineCount: 5 } },
        ],
      },
      { kind: 'result', outcome: 'ok' },
      { kind: 'result', outcome: 'error' },
      { kind: 'round', content: '' },
      { kind: 'result', outcome: 'invalid' },
      { kind: 'round', calls: [] },
      { kind: 'end', reason: 'answered', at: 1700 },
      { kind: 'prompt', text: 'only one?', by: 'admin' },
      { kind: 'round', content: 'Yes, one.' },
      { kind: 'end', reason: 'answered' },
    ]);
    expect(JSON.stringify(await stored(session_id))).not.toContain('Let me look');
    expect(JSON.stringify(session)).not.toContain(SECRET);
    model.assertDone();
  });

  it.each([
    ['1d2a-waiting', ['user', 'assistant', 'tool', 'tool', 'user']],
    ['2e3b-stuck', ['user', 'user']],
    ['3f4c-failed', ['user', 'user']],
    ['4a5d-empty', ['user']],
    ['5b6e-aborted', ['user', 'assistant', 'tool', 'user']],
  ])('go on from whatever state they were left in (%s), with what waited void', async (session_id, roles) => {
    const model = new ScriptedModel([
      (request) => {
        expect(request.messages.map(({ role }) => role)).toEqual(roles);
        return reply('Here I am.');
      },
    ]);
    const { host, call, settled } = await setUp(model);
    await call('agent_prompt', { session_id, message: 'go on' });
    expect(await settled(session_id)).toMatchObject({ status: 'completed', pendingApprovals: [] });
    expect(host.server.calls.filter(({ body }) => body['operation'] === 'drop_table')).toEqual([]);
    model.assertDone();
  });

  it('are taken over once by prompts that come at once, and answer a repeated one like any other', async () => {
    const model = new ScriptedModel(() => reply('ok'));
    const { call, settled } = await setUp(model);
    const session_id = '2e3b-stuck';
    await Promise.all(
      ['a', 'b', 'b', 'c'].map((message_id) =>
        call('agent_prompt', { session_id, message: message_id, message_id }),
      ),
    );
    await settled(session_id);
    const { entries } = await call('get_agent_session', { session_id, after_seq: 0 });
    const texts = Object(entries).flatMap((entry: { kind: string; text: string }) =>
      entry.kind === 'prompt' ? [entry.text] : [],
    );
    expect(texts.toSorted()).toEqual(['a', 'b', 'build me something', 'c']);
  });

  it('stay as they are when they cannot be understood, and a prompt is told why', async () => {
    const { call, rows, stored } = await setUp();
    for (const [session_id, why] of [
      ['6c7f-odd-role', /message 1 is not understood/],
      ['7d8a-odd-order', /answers no open call 'nobody'/],
    ] as const) {
      const prompt = call('agent_prompt', { session_id, message: 'go on' });
      await expect(prompt).rejects.toMatchObject({ statusCode: 409, code: 'first_agent_session' });
      await expect(call('agent_prompt', { session_id, message: 'go on' })).rejects.toThrow(why);
      expect(await stored(session_id)).toMatchObject(rows.find((row) => row.session_id === session_id) ?? {});
    }
  });

  it('can be neither decided, stopped nor watched before a prompt, and say so; they can be deleted', async () => {
    const { call, stored } = await setUp();
    const session_id = '1d2a-waiting';
    for (const [operation, fields] of [
      ['approve_agent_action', { approval_id: 'apr-1' }],
      ['cancel_agent_run', {}],
      ['watch_agent_session', {}],
    ] as const) {
      const refused = call(operation, { session_id, ...fields });
      await expect(refused).rejects.toMatchObject({ statusCode: 409, code: 'first_agent_session' });
    }
    expect(await call('delete_agent_session', { session_id })).toMatchObject({ deleted: true });
    expect(await stored(session_id)).toBeUndefined();
    await expect(call('get_agent_session', { session_id })).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('sessions of a newer agent', () => {
  const newer = {
    session_id: 'from-the-future',
    user: 'alice',
    status: 'running',
    createdAt: 1,
    updatedAt: 9000,
    seq: 0,
    header: JSON.stringify({ id: 'from-the-future', schemaVersion: 2, status: 'running', seq: 0 }),
  };
  const stranger = {
    session_id: 'stranger',
    status: 'idle',
    createdAt: 1,
    updatedAt: 9001,
    version: 7,
    messages: [],
  };
  const damaged = { ...newer, session_id: 'damaged', status: 'idle', header: '{"id":' };

  it('are listed with what is wrong, refused and left untouched, and keep no other session from work', async () => {
    const { call, settled, stored } = await setUp(new ScriptedModel([reply('hi')]), [
      newer,
      stranger,
      damaged,
    ]);
    const { sessions } = await call('list_agent_sessions', { limit: 3 });
    expect(sessions).toMatchObject([
      { session_id: 'stranger', problem: expect.stringContaining('another version') },
      { session_id: 'from-the-future', problem: expect.stringContaining('version 2') },
      { session_id: 'damaged', problem: expect.stringContaining('damaged') },
    ]);
    for (const row of [newer, stranger]) {
      for (const operation of [
        'get_agent_session',
        'agent_prompt',
        'cancel_agent_run',
        'delete_agent_session',
      ]) {
        const body = {
          session_id: row.session_id,
          ...(operation === 'agent_prompt' ? { message: 'hi' } : {}),
        };
        await expect(call(operation, body)).rejects.toMatchObject({
          statusCode: 409,
          code: 'schema_version',
        });
      }
      expect(await stored(row.session_id)).toMatchObject(row);
    }
    await expect(call('get_agent_session', { session_id: 'damaged' })).rejects.toMatchObject({
      code: 'corrupt_journal',
    });
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    expect(await settled(session_id)).toMatchObject({ status: 'completed' });
  });
});
