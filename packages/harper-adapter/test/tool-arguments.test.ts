import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from './support/start-agent.js';

describe('arguments that do not fit', () => {
  it.each([
    ['read_file', { path: 123 }, 'path'],
    ['write_file', {}, 'content'],
    ['grep_files', { pattern: null, path: '.' }, 'pattern'],
    ['schedule_followup', { prompt: 'look', delay_seconds: 'soon' }, 'delay_seconds'],
    ['http_fetch', { url: 7 }, 'url'],
  ])('of %s %j are a result that names %s, and the run goes on', async (name, given, field) => {
    const model = new ScriptedModel([calls({ name, arguments: given }), reply('I see.')]);
    const { call, settled } = await startAgent(model);
    const { session_id } = await call('agent_prompt', { message: 'go' });
    expect(await settled(session_id)).toMatchObject({ status: 'completed' });
    const { entries } = await call('get_agent_session', { session_id, after_seq: 0 });
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'result', outcome: 'invalid', text: expect.stringContaining(field) }),
    );
    expect(entries).not.toContainEqual(expect.objectContaining({ kind: 'start' }));
  });
});
