import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { openFileChangeLog } from '@harperfast/agent-tools-fs';
import { describe, expect, it } from 'vitest';
import { agentFolder } from '../src/agent-folder.js';
import { startAgent } from './support/start-agent.js';

const SECRET = 'the-former-content';

/** An agent that has overwritten one file, in a session that is done. */
async function afterAWrite() {
  const model = new ScriptedModel([
    calls({ name: 'write_file', arguments: { path: 'app/a.js', content: 'new' } }),
    reply('done'),
  ]);
  const started = await startAgent(
    model,
    {},
    {
      async prepare(host) {
        await mkdir(join(host.paths.components, 'app'));
        await writeFile(join(host.paths.components, 'app', 'a.js'), SECRET);
        await mkdir(join(agentFolder(host.paths), 'changes', 'ses_gone'), { recursive: true });
        await writeFile(
          join(agentFolder(host.paths), 'changes', 'ses_gone', '00000001.change'),
          'left by a delete',
        );
      },
    },
  );
  const { session_id } = await started.call('agent_prompt', { message: 'write it' });
  await started.settled(session_id);
  const folder = join(agentFolder(started.host.paths), 'changes');
  return { ...started, folder, session_id: String(session_id) };
}

describe('the changes of files', () => {
  it('are kept beside the key, for nobody else to read, and can be listed', async () => {
    const { host, folder, session_id } = await afterAWrite();
    expect(await readFile(join(host.paths.components, 'app', 'a.js'), 'utf8')).toBe('new');
    expect(await readdir(folder), 'those of a session that is gone went at the start').toEqual([session_id]);
    const file = join(folder, session_id, '00000001.change');
    expect(await readFile(file, 'utf8')).toContain(`\n${SECRET}`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { changes } = await openFileChangeLog({ folder }).list(session_id);
    expect(changes).toMatchObject([{ seq: 1, tool: 'write_file', root: 'components', path: 'app/a.js' }]);
  });

  it('stay after a cancel, and go with the session', async () => {
    const { call, folder, session_id } = await afterAWrite();
    await call('cancel_agent_run', { session_id });
    expect(await readdir(folder)).toEqual([session_id]);
    await call('delete_agent_session', { session_id });
    expect(await readdir(folder)).toEqual([]);
  });
});
