import { beforeAll, describe, expect, it } from 'vitest';
import { FirstAgentClient } from '../src/support/first-agent-client.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();
let client: FirstAgentClient;
beforeAll(() => {
  client = new FirstAgentClient(running.host.operationsUrl, running.host.admin);
});

const approve = () => true;
const deny = () => false;

describe("a client of Harper's first agent", () => {
  it('prompts, polls and reads the answer, and goes on in the same session', async () => {
    const id = await client.prompt('say hello');
    const session = await client.finish(id, approve);
    expect(session).toMatchObject({ session_id: id, user: running.host.admin.username, status: 'completed' });
    expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'say hello'],
      ['assistant', 'hello back'],
    ]);
    expect(await client.prompt('say hello', id)).toBe(id);
    expect((await client.finish(id, approve)).messages).toHaveLength(4);
  });

  it('approves what it is shown, and the call runs', async () => {
    const before = await running.notes('first');
    const asked: unknown[] = [];
    const session = await client.finish(await client.prompt('insert one'), (approval) => {
      asked.push([approval.toolName, approval.arguments]);
      return true;
    });
    expect(asked).toEqual([['insert', { database: 'data', table: 'note', records: [{ text: 'first' }] }]]);
    expect(session).toMatchObject({ status: 'completed', pendingApprovals: [] });
    expect(await running.notes('first')).toBe(before + 1);
  });

  it('denies, and the call does not run', async () => {
    const before = await running.notes('first');
    const session = await client.finish(await client.prompt('insert one'), deny);
    expect(session.status).toBe('completed');
    expect(await running.notes('first')).toBe(before);
  });

  it('reads the decision as the row of the approval, and gets an error text for a second one', async () => {
    const id = await client.prompt('insert one');
    const { pendingApprovals } = await running.api.untilAwaiting(id);
    const approvalId = pendingApprovals[0]!.id;
    expect(await client.approve(id, approvalId, false)).toMatchObject({
      id: approvalId,
      toolName: 'insert',
      resolved: true,
      approved: false,
    });
    await expect(client.approve(id, approvalId, true)).rejects.toMatchObject({ status: 409 });
    await client.finish(id, deny);
  });

  it('cancels a run at work and one that waits, and lists both as aborted', async () => {
    const hanging = await client.prompt('hang');
    expect(await client.cancel(hanging)).toEqual({ cancelled: true, signalledLiveRun: true });
    const waiting = await client.prompt('insert one');
    await running.api.untilAwaiting(waiting);
    expect(await client.cancel(waiting)).toEqual({ cancelled: true, signalledLiveRun: false });
    const listed = await client.list();
    for (const id of [hanging, waiting]) {
      expect(listed.find(({ session_id }) => session_id === id)).toMatchObject({ status: 'aborted' });
    }
    expect(listed.map(({ updatedAt }) => updatedAt)).toEqual(
      listed.map(({ updatedAt }) => updatedAt).toSorted((left, right) => right - left),
    );
    expect(await client.list(1)).toHaveLength(1);
  });

  it('reads and patches the configuration', async () => {
    expect(await client.config()).toMatchObject({ enabled: true, user: 'hdb_agent', maxTurns: 50 });
    const patch = { maxTurns: 7, maxTokens: 2048, maxCostUsd: 2, systemPromptAppend: 'Be brief.' };
    expect(await client.config(patch)).toMatchObject(patch);
    expect(await client.config({ maxTurns: 50, systemPromptAppend: '' })).toMatchObject({ maxTurns: 50 });
    await expect(client.config({ httpFetch: true })).rejects.toMatchObject({ status: 400 });
  });

  it.each([
    ['an empty message', (c: FirstAgentClient) => c.prompt(''), 400],
    ['a session that does not exist', (c: FirstAgentClient) => c.prompt('say hello', 'nope'), 404],
    ['reading one that does not exist', (c: FirstAgentClient) => c.session('nope'), 404],
    ['cancelling one that does not exist', (c: FirstAgentClient) => c.cancel('nope'), 404],
    ['an approval of one that does not exist', (c: FirstAgentClient) => c.approve('nope', 'nope', true), 404],
  ])('gets a status and a text for %s', async (_what, call, status) => {
    await expect(call(client)).rejects.toMatchObject({ status, message: expect.stringMatching(/\w+ \w+/) });
  });
});
