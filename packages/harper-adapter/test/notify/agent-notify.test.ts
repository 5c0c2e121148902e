import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it, vi } from 'vitest';
import { openReceiver, status } from '../support/open-receiver.js';
import { startAgent } from '../support/start-agent.js';

const gated = () =>
  new ScriptedModel([
    calls({ name: 'drop_table', arguments: { table: 'dog' } }),
    reply('The key is token-of-the-hook-1.'),
  ]);

describe('agent.notify', () => {
  it('is told of an approval that is asked, with what decides it, and of the end of the run', async () => {
    const receiver = await openReceiver();
    const block = {
      allowDestructive: true,
      notify: { url: receiver.url, headers: { 'x-team': 'operators-1' } },
    };
    const { call, settled } = await startAgent(gated(), block);
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    await receiver.received(1);
    const [asked] = receiver.got;
    expect(asked?.headers['x-team']).toBe('operators-1');
    expect(asked?.body).toMatchObject({
      event: 'approval_requested',
      session_id,
      node: 'node-1',
      tool: 'drop_table',
      effect: 'destructive',
      arguments: '{"table":"dog"}',
    });
    await call('approve_agent_action', { session_id, approval_id: asked?.body['approval_id'] });
    await settled(session_id);
    await receiver.received(2);
    expect(receiver.got[1]?.body).toMatchObject({ event: 'run_ended', stop_reason: 'answered', error: null });
  });

  it('never holds a run up, and ends with the agent', async () => {
    const receiver = await openReceiver(() => undefined);
    const { call, settled, agent, host } = await startAgent(new ScriptedModel([reply('one'), reply('two')]), {
      notify: { url: receiver.url },
    });
    for (const message of ['first', 'second']) {
      const { session_id } = await call('agent_prompt', { message });
      expect(await settled(session_id)).toMatchObject({ status: 'completed' });
    }
    await receiver.received(1);
    await agent.close();
    expect(host.log.at(-1)).toMatch(/^error: 2 notifications were not delivered/);
  });

  it('keeps its headers and the path of its URL out of transcripts, settings and the log', async () => {
    vi.stubEnv('HOOK_TOKEN', 'token-of-the-hook-1');
    const receiver = await openReceiver(status(403));
    const headers = { authorization: 'Bearer ${HOOK_TOKEN}' };
    const { call, settled, host } = await startAgent(gated(), {
      allowDestructive: true,
      autoApprove: true,
      notify: { url: receiver.url, headers },
    });
    vi.unstubAllEnvs();
    const message = `the hook is ${receiver.url}, with Bearer token-of-the-hook-1`;
    const { session_id } = await call('agent_prompt', { message });
    const session = await settled(session_id);
    await receiver.received(1);
    expect(receiver.got[0]?.headers.authorization).toBe('Bearer token-of-the-hook-1');
    const config = await call('set_agent_config');
    expect(config['notify']).toEqual({ url: new URL(receiver.url).origin, headers: ['authorization'] });
    const told = JSON.stringify([session, config, host.log, receiver.got.map(({ body }) => body)]);
    expect(told).not.toContain('token-of-the-hook-1');
    expect(told).not.toContain('/hooks/agent');
  });
});
