import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ToolContext } from '@harperfast/agent-core/contracts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBestPractices } from '../../src/best-practice/create-best-practices.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const context: ToolContext = Object({ signal: new AbortController().signal });
const caller = { user: 'hdb_agent' };

async function installed(overview = 'Tables first, then endpoints.') {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const { path } = folder;
  const skill = join(path, 'harper-best-practices');
  await mkdir(join(skill, 'rules'), { recursive: true });
  await writeFile(join(path, 'package.json'), '{"secret":"of the package"}');
  await writeFile(join(skill, 'SKILL.md'), `---\nname: harper\n---\n# Harper\n\n${overview}\n`);
  await writeFile(join(skill, 'rules', 'schema.md'), 'Declare a key.');
  await writeFile(join(skill, 'rules', 'access-rules.md'), 'Check who asks.');
  await writeFile(join(skill, 'rules', 'notes.txt'), 'not a rule');
  await mkdir(join(skill, 'rules', 'folder.md'));
  await symlink(join(path, 'package.json'), join(skill, 'rules', 'link.md'));
  return skill;
}

async function open(...folders: readonly string[]) {
  const practices = createBestPractices(folders);
  const [tool] = await practices.tools(caller);
  if (tool === undefined) throw new Error('There is no tool');
  const run = (input: object) => tool.execute(tool.input.parse(input), context);
  return { practices, tool, run };
}

describe('createBestPractices', () => {
  it('lists the rules of the package and reads one by its name', async () => {
    const { tool, run } = await open('/nowhere/at/all', await installed());
    expect(tool).toMatchObject({ name: 'harper_best_practice', effect: 'read' });
    expect((await run({})).text).toBe('- access-rules\n- schema');
    expect((await run({ rule: 'schema' })).text).toBe('Declare a key.');
  });

  it.each([
    '../../package',
    '../SKILL',
    'link',
    'folder',
    'notes.txt',
    'schema.md',
    'rules/schema',
    './schema',
    '/etc/passwd',
    'constructor',
  ])('takes the name of a rule for nothing but that: %s', async (rule) => {
    const { run } = await open(await installed());
    await expect(run({ rule })).rejects.toMatchObject({ name: 'ToolDeniedError' });
    await expect(run({ rule })).rejects.toThrow(/- access-rules\n- schema$/);
  });

  it('does not follow a rule that became a link after it was listed', async () => {
    const skill = await installed();
    const { run } = await open(skill);
    await rm(join(skill, 'rules', 'schema.md'));
    await symlink(join(skill, '..', 'package.json'), join(skill, 'rules', 'schema.md'));
    await expect(run({ rule: 'schema' })).rejects.toThrow('ELOOP');
  });

  it('waits for no pipe in place of the overview, and reads a huge rule only in part', async () => {
    const piped = await installed();
    await rm(join(piped, 'SKILL.md'));
    await promisify(execFile)('mkfifo', [join(piped, 'SKILL.md')]);
    const whole = await installed();
    await writeFile(join(whole, 'rules', 'schema.md'), 'x'.repeat(1_000_000));
    const { run } = await open(piped, whole);
    expect((await run({ rule: 'schema' })).text).toHaveLength(262_144);
  });

  it('has the overview for the system prompt once the tools were asked for', async () => {
    const practices = createBestPractices([await installed()]);
    expect(practices.overview).toBeUndefined();
    await practices.tools(caller);
    expect(practices.overview).toBe('# Harper\n\nTables first, then endpoints.');
  });

  it('cuts an overview that would fill every request, at a whole character', async () => {
    const { practices } = await open(await installed('€'.repeat(10_000)));
    const text = practices.overview ?? '';
    expect(Buffer.byteLength(text)).toBeLessThan(16_500);
    expect(text).toMatch(/€\n\[cut: the whole text has \d+ bytes\]$/);
    expect(text).not.toContain('\uFFFD');
  });

  it('has no tool and says nothing without the package, or without rules in it', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const { path } = folder;
    const missing = createBestPractices([path, join(path, 'nothing')]);
    expect(await missing.tools(caller)).toEqual([]);
    expect(missing.overview).toBeUndefined();
    await writeFile(join(path, 'SKILL.md'), 'Only this.');
    const bare = createBestPractices([path]);
    expect(await bare.tools(caller)).toEqual([]);
    expect(bare.overview).toBe('Only this.');
  });

  it('answers the same tools every time, at once after the first', async () => {
    const practices = createBestPractices([await installed()]);
    const [first, second] = await Promise.all([practices.tools(caller), practices.tools(caller)]);
    expect(first).toBe(second);
    expect(practices.tools(caller)).toBe(first);
  });
});
