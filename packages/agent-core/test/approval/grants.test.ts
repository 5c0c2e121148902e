import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

const kill = (value: string) => calls({ name: 'kill', arguments: { value } });

describe('a grant for the session', () => {
  it('lets the same tool run without asking, is listed, and can be taken back', async () => {
    const tool = recordingTool('kill', 'disruptive');
    const { agent, quiet } = createFixture([kill('a'), kill('b'), reply('ok'), kill('c'), reply('ok')], {
      tools: [tool.tool],
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const { approvalId } = (await quiet(sessionId)).pendingApprovals[0] ?? { approvalId: '' };
    await agent.approve({ sessionId, approvalId, approved: true, by: 'admin', remember: 'session' });
    const done = await quiet(sessionId);
    expect(done.header.status).toBe('completed');
    expect(tool.seen).toEqual(['a', 'b']);
    expect(done.header.grants).toMatchObject([
      { approvalId, tool: 'kill', effect: 'disruptive', by: 'admin' },
    ]);

    await agent.revokeGrant(sessionId, approvalId, 'admin');
    await expect(agent.revokeGrant(sessionId, approvalId, 'admin')).rejects.toMatchObject({
      statusCode: 404,
    });
    await agent.prompt({ message: 'Again', sessionId, by: 'admin' });
    const waiting = await quiet(sessionId);
    expect(waiting.header).toMatchObject({ status: 'awaiting_approval', grants: [] });
    expect(tool.seen).toEqual(['a', 'b']);
  });

  it('ends with a cancel', async () => {
    const tool = recordingTool('kill', 'disruptive');
    const { agent, model, quiet } = createFixture(
      [kill('a'), () => new Promise(() => undefined), kill('b')],
      {
        tools: [tool.tool],
      },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const { approvalId } = (await quiet(sessionId)).pendingApprovals[0] ?? { approvalId: '' };
    await agent.approve({ sessionId, approvalId, approved: true, by: 'admin', remember: 'session' });
    await model.requested(2);
    await agent.cancel(sessionId, 'admin');
    await agent.prompt({ message: 'Again', sessionId, by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('awaiting_approval');
  });

  it('does not cover another tool, another schema or a graver effect', async () => {
    const first = recordingTool('kill', 'disruptive');
    const graver = recordingTool('kill', 'destructive');
    let tool = first.tool;
    const { agent, quiet } = createFixture([kill('a'), kill('b'), reply('ok')], {
      providers: [{ name: 'p', tools: () => [tool], close: async () => undefined }],
      settings: { allowDestructive: true },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const { approvalId } = (await quiet(sessionId)).pendingApprovals[0] ?? { approvalId: '' };
    tool = first.tool;
    const approving = agent.approve({
      sessionId,
      approvalId,
      approved: true,
      by: 'admin',
      remember: 'session',
    });
    await approving;
    tool = graver.tool;
    const waiting = await quiet(sessionId);
    expect(waiting.header.status).toBe('awaiting_approval');
    expect(graver.seen).toEqual([]);
  });

  it.each(['destructive', 'critical'] as const)('cannot be given for what is %s', async (effect) => {
    const tool = recordingTool('kill', effect);
    const { agent, quiet } = createFixture([kill('a')], {
      tools: [tool.tool],
      settings: { allowDestructive: true },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const { approvalId } = (await quiet(sessionId)).pendingApprovals[0] ?? { approvalId: '' };
    await expect(
      agent.approve({ sessionId, approvalId, approved: true, by: 'admin', remember: 'session' }),
    ).rejects.toMatchObject({ statusCode: 400 });
    expect(kindsOf(await agent.get(sessionId))).toEqual(['prompt', 'round', 'ask']);
    expect(tool.seen).toEqual([]);
  });
});
