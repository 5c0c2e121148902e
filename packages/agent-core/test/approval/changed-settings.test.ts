import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createFixture, recordingTool } from '../support/agent-fixture.js';

describe('settings that change while a round is at work', () => {
  it('let no effect pass a call that now waits for a decision', async () => {
    const open = (): string => {
      fixture.agent.setConfig({ approvals: {} }, 'ann');
      return 'opened';
    };
    const first = recordingTool('first', 'write', open);
    const boot = recordingTool('boot', 'disruptive');
    const post = recordingTool('post', 'write');
    const round = calls(...['first', 'boot', 'post'].map((name) => ({ name, arguments: {} })));
    const fixture = createFixture([round, reply('done')], {
      tools: [first.tool, boot.tool, post.tool],
      settings: { approvals: { '*o*': 'deny' } },
    });
    const { agent, quiet } = fixture;
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    const waiting = await quiet(sessionId);
    expect(waiting.pendingApprovals.map(({ tool }) => tool)).toEqual(['boot']);
    expect(post.seen).toEqual([]);
    const approvalId = waiting.pendingApprovals[0]!.approvalId;
    await agent.approve({ sessionId, approvalId, approved: true, by: 'ann' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect([boot.seen, post.seen]).toEqual([[''], ['']]);
  });
});
