import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AgentError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import type { Hold } from '../../src/root/folder.js';
import { callTool } from '../support/call-tool.js';
import { OUTSIDE, makeTree, snapshot, toolsWith } from '../support/tree.js';

const holds: Hold[] = (await descriptorsReachFiles()) ? ['descriptor', 'check'] : ['check'];

describe.each(holds)('the jail, holding folders by %s', (hold) => {
  async function setUp() {
    const tree = await makeTree();
    const tools = toolsWith({ roots: { components: { path: tree.root, mode: 'rw' } } }, hold);
    const call = (name: string, input: object) => callTool(tools, name, input);
    return { ...tree, call };
  }

  it('reads, lists and writes inside the root', async () => {
    const { call, root } = await setUp();
    expect((await call('read_file', { path: 'hello/deep/c.txt' })).text).toContain('inside c');
    expect((await call('list_dir', { path: 'hello' })).text).toContain('b.txt 9');
    await call('write_file', { path: 'new/deep/d.txt', content: 'd' });
    expect(await readFile(join(root, 'new/deep/d.txt'), 'utf8')).toBe('d');
  });

  it.each(['leaf-link', 'parent-link/secret.txt', 'hello/up-link/a.txt', 'inner-link', 'dangling'])(
    'does not read through the link %s',
    async (path) => {
      const { call } = await setUp();
      await expect(call('read_file', { path })).rejects.toThrow(/symbolic link is never followed/);
    },
  );

  it.each([
    'leaf-link',
    'dangling',
    'parent-link/new.txt',
    'parent-link/new/deep.txt',
    'hello/up-link/x.txt',
    'inner-link',
  ])('does not write through the link %s', async (path) => {
    const { call, base } = await setUp();
    const before = await snapshot(base);
    await expect(call('write_file', { path, content: 'x' })).rejects.toThrow(ToolDeniedError);
    expect(await snapshot(base)).toEqual(before);
  });

  it('makes no folder through a dangling link that stands for one', async () => {
    const { call, base, root } = await setUp();
    await symlink(join(base, 'made'), join(root, 'later'));
    const before = await snapshot(base);
    await expect(call('write_file', { path: 'later/x.txt', content: 'x' })).rejects.toThrow(/symbolic link/);
    expect(await snapshot(base)).toEqual(before);
  });

  it('shows links in a listing and lists nothing behind them', async () => {
    const { call } = await setUp();
    const { text } = await call('list_dir', { depth: 10 });
    expect(text).toContain('parent-link (link)');
    expect(text).not.toContain('secret.txt');
    await expect(call('list_dir', { path: 'parent-link' })).rejects.toThrow(/symbolic link/);
  });

  it.each(['../root-evil/a.txt', '../outside/secret.txt', '/etc/passwd', 'hello/../../outside/secret.txt'])(
    'refuses %s and names the roots',
    async (path) => {
      const { call } = await setUp();
      await expect(call('read_file', { path })).rejects.toThrow(/Roots: components \(read and write\)/);
    },
  );

  it('says how to name an absolute path that lies inside, and still refuses it', async () => {
    const { call, root, base } = await setUp();
    await expect(call('read_file', { path: join(root, 'hello/b.txt') })).rejects.toThrow(
      "Say root 'components', path 'hello/b.txt'.",
    );
    await expect(call('read_file', { path: join(base, 'root-evil/a.txt') })).rejects.toThrow(
      /Roots: components/,
    );
  });

  it('takes a root that is itself a link, under both spellings', async () => {
    const { base, root } = await setUp();
    const linked = join(base, 'linked');
    await symlink(root, linked);
    for (const path of [linked, `${linked}/`, root, `${root}/`]) {
      const tools = toolsWith({ roots: { components: { path, mode: 'rw' } } }, hold);
      expect((await callTool(tools, 'read_file', { path: 'a.txt' })).text).toContain('inside a');
    }
    const tools = toolsWith({ roots: { components: { path: linked, mode: 'rw' } } }, hold);
    for (const path of [join(linked, 'a.txt'), join(root, 'a.txt')]) {
      await expect(callTool(tools, 'read_file', { path })).rejects.toThrow(
        "Say root 'components', path 'a.txt'.",
      );
    }
  });

  it('refuses a pipe without waiting for a writer', async () => {
    const { call, root } = await setUp();
    await promisify(execFile)('mkfifo', [join(root, 'pipe')]);
    await expect(call('read_file', { path: 'pipe' })).rejects.toThrow(/is a pipe/);
    await expect(call('write_file', { path: 'pipe', content: 'x' })).rejects.toThrow(/is a pipe/);
    expect((await call('list_dir', {})).text).toContain('pipe (other)');
  });

  it('refuses sockets, devices behind links, and folders given as files', async () => {
    const { call, root } = await setUp();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    onTestFinished(() => void server.close());
    await symlink('/dev/zero', join(root, 'zero'));
    await expect(call('read_file', { path: 'socket' })).rejects.toThrow(/is a socket/);
    await expect(call('read_file', { path: 'zero' })).rejects.toThrow(/symbolic link/);
    await expect(call('read_file', { path: 'hello' })).rejects.toThrow(/is a folder/);
    await expect(call('write_file', { path: 'hello', content: 'x' })).rejects.toThrow(/is a folder/);
    await expect(call('read_file', { path: 'a.txt/b' })).rejects.toThrow(
      /is a file where a folder is needed/,
    );
    await expect(call('list_dir', { path: 'a.txt' })).rejects.toThrow(/is a file where a folder is needed/);
  });

  it.each([
    'keys/server.txt',
    'server.pem',
    '.env',
    'hello/../keys/server.txt',
    'KEYS/server.txt',
    'hello/keys/new.txt',
  ])('neither reads nor writes %s', async (path) => {
    const { call, base } = await setUp();
    const before = await snapshot(base);
    await expect(call('read_file', { path })).rejects.toThrow(/keys or secrets/);
    await expect(call('write_file', { path, content: 'x' })).rejects.toThrow(/keys or secrets/);
    expect(await snapshot(base)).toEqual(before);
  });

  it('shows withheld names in a listing without opening them', async () => {
    const { call } = await setUp();
    const { text } = await call('list_dir', { depth: 3 });
    expect(text).toContain('keys/ (withheld)');
    expect(text).toContain('server.pem 17 (withheld)');
    expect(text).not.toContain('server.txt');
    await expect(call('list_dir', { path: 'keys' })).rejects.toThrow(/keys or secrets/);
  });

  it('tells a repeated root name from a missing file, and makes no folder of it', async () => {
    const { call, base } = await setUp();
    const before = await snapshot(base);
    await expect(call('write_file', { path: 'components/x/y.js', content: '1' })).rejects.toThrow(
      "Did you mean 'x/y.js'?",
    );
    await expect(call('write_file', { path: 'componentsRoot/x/y.js', content: '1' })).rejects.toThrow(
      "Did you mean 'x/y.js'?",
    );
    await expect(call('read_file', { path: 'components/a.txt' })).rejects.toThrow("Did you mean 'a.txt'?");
    await expect(call('read_file', { path: 'none.txt' })).rejects.toThrow(
      "'none.txt' in root 'components' does not exist.",
    );
    expect(await snapshot(base)).toEqual(before);
  });

  it('never shows a path of this machine', async () => {
    const { call, base } = await setUp();
    const failures = await Promise.all(
      [
        call('read_file', { path: 'none/x' }),
        call('read_file', { path: 'leaf-link' }),
        call('read_file', { path: 'hello' }),
        call('write_file', { path: 'a.txt/x', content: '' }),
        call('list_dir', { path: 'none' }),
      ].map((failing) =>
        failing.then(
          () => 'no failure',
          (error: unknown) => String(error),
        ),
      ),
    );
    for (const message of failures) {
      expect(message).not.toContain(base);
      expect(message).not.toContain('/proc/');
      expect(message).not.toBe('no failure');
    }
  });

  it('has a single file as a root, and nothing beside it', async () => {
    const { base } = await setUp();
    await writeFile(join(base, 'host.yaml'), 'http:\n  port: 9926\n');
    await symlink(join(base, 'host.yaml'), join(base, 'current.yaml'));
    for (const path of ['host.yaml', 'current.yaml']) {
      const tools = toolsWith({ roots: { config: { path: join(base, path), mode: 'r' } } }, hold, ['config']);
      expect((await callTool(tools, 'read_file', { path })).text).toContain('port: 9926');
      expect((await callTool(tools, 'read_file', { path: '.' })).text).toContain('port: 9926');
      expect((await callTool(tools, 'list_dir', {})).data).toMatchObject({
        entries: [{ path: 'host.yaml', size: 19 }],
      });
      await expect(callTool(tools, 'read_file', { path: 'outside/secret.txt' })).rejects.toThrow(
        /is the single file/,
      );
      await expect(callTool(tools, 'read_file', { path: 'root' })).rejects.toThrow(/is the single file/);
      await expect(callTool(tools, 'write_file', { path, content: '' })).rejects.toThrow(/read only/);
    }
  });

  it('says when a root does not exist, and finds it once it does', async () => {
    const { base } = await setUp();
    const tools = toolsWith({ roots: { logs: { path: join(base, 'log'), mode: 'r' } } }, hold);
    await expect(callTool(tools, 'list_dir', {})).rejects.toThrow(
      "the root 'logs' does not exist on this server",
    );
    await mkdir(join(base, 'log'));
    expect((await callTool(tools, 'list_dir', {})).text).toBe('[. in logs: 0 entries]');
  });

  it.runIf(hold === 'descriptor')('keeps no descriptor open, whatever the outcome', async () => {
    const { call } = await setUp();
    await call('read_file', { path: 'a.txt' });
    const before = (await readdir('/proc/self/fd')).length;
    for (let round = 0; round < 20; round++) {
      await call('read_file', { path: 'hello/deep/c.txt' });
      await call('list_dir', { depth: 5 });
      await call('write_file', { path: 'hello/deep/c.txt', content: 'c' });
      for (const path of ['leaf-link', 'parent-link/x', 'hello/deep', 'a.txt/x']) {
        await expect(call('read_file', { path })).rejects.toBeInstanceOf(AgentError);
        await expect(call('write_file', { path, content: '' })).rejects.toBeInstanceOf(AgentError);
        await expect(call('list_dir', { path: `${path}/none` })).rejects.toBeInstanceOf(AgentError);
      }
    }
    expect((await readdir('/proc/self/fd')).length).toBe(before);
  });

  it(`never returns ${OUTSIDE} for any link in the tree`, async () => {
    const { call, root } = await setUp();
    for (const path of Object.keys(await snapshot(root))) {
      const relative = path.slice(root.length + 1);
      const answer = await call('read_file', { path: relative }).catch((error: unknown) => ({
        text: String(error),
      }));
      expect(answer.text).not.toContain(OUTSIDE);
    }
  });
});
