import { ScriptedModel, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

describe('list_agent_sessions', () => {
  it('pages through all sessions, newest first, without transcripts', async () => {
    const { call, settled } = await startAgent(new ScriptedModel(() => reply('a long answer')));
    for (const message of ['one', 'two', 'three'])
      await settled((await call('agent_prompt', { message }))['session_id']);
    const titles: unknown[] = [];
    let cursor: unknown = undefined;
    do {
      const page = await call('list_agent_sessions', {
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(JSON.stringify(page)).not.toContain('a long answer');
      for (const { title } of Object(page['sessions'])) titles.push(title);
      cursor = page['cursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(titles.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['one', 'three', 'two']);
    await expect(call('list_agent_sessions', { cursor: '???' })).rejects.toMatchObject({ statusCode: 400 });
    await expect(call('list_agent_sessions', { status: 'lost' })).rejects.toThrow('status');
  });
});
