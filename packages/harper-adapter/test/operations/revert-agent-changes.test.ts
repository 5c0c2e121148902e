import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScriptedModel, calls, hangs, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

const write = (content: string) => calls({ name: 'write_file', arguments: { path: 'app/a.js', content } });

describe('revert_agent_changes', () => {
  it('takes back what a session wrote, to the last byte, as far as asked', async () => {
    const model = new ScriptedModel([write('one\r\n'), write('two'), write('three'), reply('done')]);
    const { call, settled, host } = await startAgent(model);
    const { session_id } = await call('agent_prompt', { message: 'write' });
    await settled(session_id);
    const file = join(host.paths.components, 'app/a.js');
    expect(await readFile(file, 'utf8')).toBe('three');
    // The folder is the first change.
    expect(await call('revert_agent_changes', { session_id, dry_run: true })).toMatchObject({
      changes: [{ seq: 1, tool: 'write_file', path: 'app' }, { seq: 2 }, { seq: 3 }, { seq: 4 }],
      dropped_up_to: 0,
    });
    expect(await readFile(file, 'utf8')).toBe('three');
    expect(await call('revert_agent_changes', { session_id, to: 2 })).toMatchObject({
      session_id,
      reverted: [
        { seq: 4, tool: 'write_file', root: 'components', path: 'app/a.js' },
        { seq: 3, tool: 'write_file' },
      ],
    });
    expect(await readFile(file, 'utf8')).toBe('one\r\n');
    await call('revert_agent_changes', { session_id });
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('leaves alone what a person changed since', async () => {
    const { call, settled, host } = await startAgent(new ScriptedModel([write('one'), reply('done')]));
    const { session_id } = await call('agent_prompt', { message: 'write' });
    await settled(session_id);
    const file = join(host.paths.components, 'app/a.js');
    await writeFile(file, 'mine');
    await expect(call('revert_agent_changes', { session_id })).rejects.toMatchObject({ statusCode: 409 });
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it('waits for the end of the run, and is for super_users who are not the agent', async () => {
    const { call } = await startAgent(new ScriptedModel([hangs()]));
    const { session_id } = await call('agent_prompt', { message: 'write' });
    await expect(call('revert_agent_changes', { session_id })).rejects.toMatchObject({
      code: 'session_running',
    });
    for (const caller of ['bob', 'hdb_agent']) {
      await expect(call('revert_agent_changes', { session_id }, caller)).rejects.toMatchObject({
        statusCode: 403,
      });
    }
    await expect(call('revert_agent_changes', { session_id: 'nope' })).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});
