import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

const ask = (...values: string[]) =>
  calls(...values.map((value) => ({ name: value.split(' ')[0] ?? '', arguments: { value } })));

function approvalFixture(
  script: Parameters<typeof createFixture>[0],
  options: Parameters<typeof createFixture>[1] = {},
) {
  const look = recordingTool('look', 'read');
  const save = recordingTool('save', 'write');
  const restart = recordingTool('restart', 'disruptive');
  const fixture = createFixture(script, { tools: [look.tool, save.tool, restart.tool], ...options });
  return { ...fixture, look, save, restart };
}

describe('an approval', () => {
  it('suspends the run, and the approved call runs once with its arguments', async () => {
    const { agent, model, quiet, restart } = approvalFixture([ask('restart now'), reply('restarted')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const waiting = await quiet(sessionId);
    expect(waiting.header.status).toBe('awaiting_approval');
    expect(kindsOf(waiting)).toEqual(['prompt', 'round', 'ask']);
    const [pending] = waiting.pendingApprovals;
    expect(pending).toMatchObject({
      tool: 'restart',
      arguments: { value: 'restart now' },
      effect: 'disruptive',
    });
    expect(waiting.header.pendingApprovals).toHaveLength(1);
    expect(waiting.header.pendingApprovals[0]).not.toHaveProperty('arguments');
    expect(restart.seen).toEqual([]);

    const resolved = await agent.approve({
      sessionId,
      approvalId: pending?.approvalId ?? '',
      approved: true,
      by: 'admin',
    });
    expect(resolved).toMatchObject({ tool: 'restart', callId: pending?.callId, approved: true });
    const done = await quiet(sessionId);
    expect(done.header.status).toBe('completed');
    expect(kindsOf(done)).toEqual([
      'prompt',
      'round',
      'ask',
      'decision',
      'start',
      'result:ok',
      'round',
      'end',
    ]);
    expect(restart.seen).toEqual(['restart now']);
    model.assertDone();
  });

  it('lists all gated calls of a round together and runs the free ones meanwhile', async () => {
    const { agent, model, quiet, look, restart } = approvalFixture([
      ask('restart A', 'look B', 'restart C'),
      reply('ok'),
    ]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const waiting = await quiet(sessionId);
    expect(kindsOf(waiting)).toEqual(['prompt', 'round', 'ask', 'ask', 'result:ok']);
    expect(look.seen).toEqual(['look B']);
    const [a, c] = waiting.pendingApprovals;
    await agent.approve({ sessionId, approvalId: a?.approvalId ?? '', approved: true, by: 'admin' });
    expect((await agent.get(sessionId)).header.status).toBe('awaiting_approval');
    await agent.approve({
      sessionId,
      approvalId: c?.approvalId ?? '',
      approved: false,
      by: 'admin',
      note: 'not at noon',
    });
    await quiet(sessionId);
    expect(restart.seen).toEqual(['restart A']);
    expect(look.seen).toEqual(['look B']);
    const results = model.requests[1]?.messages.slice(-3);
    expect(results?.map((message) => message.role === 'tool' && message.toolCallId)).toEqual([
      'call_2_0',
      'call_2_1',
      'call_2_2',
    ]);
    expect(results?.[2]?.content).toContain("The operator's note: not at noon");
    model.assertDone();
  });

  it('lets effects before the first gated call run and those after it wait', async () => {
    const { agent, model, quiet, save, restart } = approvalFixture([
      ask('save 1', 'restart 2', 'look 3', 'save 4'),
      reply('ok'),
    ]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const waiting = await quiet(sessionId);
    expect(save.seen).toEqual(['save 1']);
    const approvalId = waiting.pendingApprovals[0]?.approvalId ?? '';
    await agent.approve({ sessionId, approvalId, approved: true, by: 'admin' });
    const done = await quiet(sessionId);
    expect(save.seen).toEqual(['save 1', 'save 4']);
    expect(restart.seen).toEqual(['restart 2']);
    const order = done.entries.flatMap((entry) => (entry.kind === 'result' ? [entry.callId] : []));
    expect(order).toEqual(['call_2_0', 'call_2_2', 'call_2_1', 'call_2_3']);
    model.assertDone();
  });

  it('asks again for the same call in a later round', async () => {
    const { agent, quiet, restart } = approvalFixture([ask('restart x'), ask('restart x'), reply('ok')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    for (let round = 1; round <= 2; round++) {
      const waiting = await quiet(sessionId);
      expect(waiting.header.status).toBe('awaiting_approval');
      expect(restart.seen).toHaveLength(round - 1);
      const approvalId = waiting.pendingApprovals[0]?.approvalId ?? '';
      await agent.approve({ sessionId, approvalId, approved: true, by: 'admin' });
    }
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(restart.seen).toHaveLength(2);
  });

  it('is decided once: of concurrent decisions one wins and the others conflict', async () => {
    const { agent, quiet, restart } = approvalFixture([ask('restart x'), reply('ok')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const approvalId = (await quiet(sessionId)).pendingApprovals[0]?.approvalId ?? '';
    const decisions = await Promise.allSettled(
      [true, true, false].map((approved) => agent.approve({ sessionId, approvalId, approved, by: 'admin' })),
    );
    expect(decisions.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(decisions[1]).toMatchObject({ reason: { statusCode: 409, code: 'already_resolved' } });
    await quiet(sessionId);
    expect(restart.seen).toEqual(['restart x']);
    await expect(agent.approve({ sessionId, approvalId, approved: true, by: 'admin' })).rejects.toMatchObject(
      {
        statusCode: 409,
      },
    );
    await expect(
      agent.approve({ sessionId, approvalId: 'apr_nope', approved: true, by: 'admin' }),
    ).rejects.toMatchObject({ statusCode: 404 });
  });

  it('is void after a cancel, whatever comes first', async () => {
    const { agent, quiet, restart } = approvalFixture(() => ask('restart x'));
    const first = await agent.prompt({ message: 'Go', by: 'admin' });
    const id = (await quiet(first.sessionId)).pendingApprovals[0]?.approvalId ?? '';
    expect(await agent.cancel(first.sessionId, 'admin')).toEqual({ cancelled: true });
    for (const approved of [true, false]) {
      await expect(
        agent.approve({ sessionId: first.sessionId, approvalId: id, approved, by: 'admin' }),
      ).rejects.toMatchObject({ statusCode: 409 });
    }
    expect(kindsOf(await agent.get(first.sessionId))).toEqual([
      'prompt',
      'round',
      'ask',
      'result:cancelled',
      'end',
    ]);

    const second = await agent.prompt({ message: 'Go', by: 'admin' });
    const other = (await quiet(second.sessionId)).pendingApprovals[0]?.approvalId ?? '';
    await Promise.allSettled([
      agent.cancel(second.sessionId, 'admin'),
      agent.approve({ sessionId: second.sessionId, approvalId: other, approved: true, by: 'admin' }),
    ]);
    expect((await quiet(second.sessionId)).header.status).toBe('aborted');
    expect(restart.seen).toEqual([]);
  });

  it('keeps a prompt that comes meanwhile for the next request', async () => {
    const { agent, model, quiet } = approvalFixture([ask('restart x'), reply('ok')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const approvalId = (await quiet(sessionId)).pendingApprovals[0]?.approvalId ?? '';
    const late = await agent.prompt({ message: 'Also this', sessionId, by: 'admin' });
    expect(late.status).toBe('awaiting_approval');
    await agent.approve({ sessionId, approvalId, approved: false, by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    model.assertDone();
  });

  it('does not relax, but may refuse, when the settings change between decision and execution', async () => {
    const { agent, quiet, restart } = approvalFixture([ask('restart x'), reply('ok')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const approvalId = (await quiet(sessionId)).pendingApprovals[0]?.approvalId ?? '';
    agent.setConfig({ approvals: { restart: 'deny' } });
    await agent.approve({ sessionId, approvalId, approved: true, by: 'admin' });
    const view = await quiet(sessionId);
    expect(restart.seen).toEqual([]);
    expect(view.entries.find((entry) => entry.kind === 'result')).toMatchObject({ outcome: 'invalid' });
  });

  it('is not needed with autoApprove, and a critical tool asks all the same', async () => {
    const reboot = recordingTool('reboot', 'critical');
    const drop = recordingTool('drop', 'destructive');
    const { agent, model, quiet } = createFixture([ask('drop t', 'reboot'), reply('ok')], {
      tools: [reboot.tool, drop.tool],
      settings: { autoApprove: true, allowDestructive: true },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const waiting = await quiet(sessionId);
    expect(waiting.header.pendingApprovals.map(({ tool }) => tool)).toEqual(['reboot']);
    expect(drop.seen).toEqual(['drop t']);
    expect(reboot.seen).toEqual([]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['reboot', 'drop']);
  });

  it('cannot be given by the agent user, who cannot prompt or configure either', async () => {
    const { agent, quiet } = approvalFixture([ask('restart x')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const approvalId = (await quiet(sessionId)).pendingApprovals[0]?.approvalId ?? '';
    const refusal = { statusCode: 403, code: 'self_approval' };
    await expect(
      agent.approve({ sessionId, approvalId, approved: true, by: 'hdb_agent' }),
    ).rejects.toMatchObject(refusal);
    await expect(agent.prompt({ message: 'Go', by: 'hdb_agent' })).rejects.toMatchObject(refusal);
    expect(() => agent.setConfig({ autoApprove: true }, 'hdb_agent')).toThrow(
      expect.objectContaining(refusal),
    );
    expect(agent.settings.autoApprove).toBe(false);
  });

  it('does not offer destructive tools that are not allowed, and refuses them by name', async () => {
    const drop = recordingTool('drop', 'destructive');
    const { agent, model, quiet } = createFixture([ask('drop t'), reply('ok')], {
      tools: [drop.tool],
      settings: { autoApprove: true },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(model.requests[0]?.tools).toEqual([]);
    expect(view.entries.find((entry) => entry.kind === 'result')).toMatchObject({ outcome: 'invalid' });
    expect(drop.seen).toEqual([]);
  });
});
