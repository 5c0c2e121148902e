import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findRegistry } from '../../src/registry/find-registry.js';
import { keepingLogger } from '../support/silent-logger.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const WORKING = `
const tools = [];
export const listProfileTools = (profile) => tools.filter((tool) => tool.profile === profile);
export const addTool = (tool) => void tools.push(tool);
export const removeTool = () => undefined;
`;
const FILLING = `
import { addTool } from '../toolRegistry.js';
export const registerOperationsTools = () => addTool({ name: 'describe_all', profile: 'operations' });
`;

/** A package of a server with these files, and a program within it. */
async function packageWith(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const { path } = folder;
  const all = { 'package.json': '{ "type": "module" }', 'bin/harper.js': '', ...files };
  for (const [name, content] of Object.entries(all)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, program: join(path, 'bin/harper.js') };
}

describe('findRegistry', () => {
  it.each(['dist/components/mcp', 'dist/core/components/mcp'])(
    'finds it in %s, with its operations',
    async (folder) => {
      const { program } = await packageWith({
        [`${folder}/toolRegistry.js`]: WORKING,
        [`${folder}/tools/operations.js`]: FILLING,
      });
      const logger = keepingLogger();
      const registry = await findRegistry(logger, [undefined, program]);
      expect(registry?.listProfileTools('operations')).toEqual([
        { name: 'describe_all', profile: 'operations' },
      ]);
      expect(logger.lines).toEqual([]);
    },
  );

  it('finds it from a link to the program, and from a package within', async () => {
    const { path, program } = await packageWith({
      'dist/components/mcp/toolRegistry.js': WORKING,
      'node_modules/agent/package.json': '{}',
      'node_modules/agent/dist/index.js': '',
    });
    const elsewhere = await temporaryFolder();
    onTestFinished(() => elsewhere.remove());
    const link = join(elsewhere.path, 'harper');
    await symlink(program, link);
    for (const file of [link, join(path, 'node_modules/agent/dist/index.js')]) {
      expect(await findRegistry(keepingLogger(), [file])).toHaveProperty('addTool');
    }
  });

  it.each([
    ['there is none', {}, /^info: This Harper has no MCP registry/],
    [
      'it lacks a function',
      { 'dist/components/mcp/toolRegistry.js': 'export const addTool = () => 0;' },
      /^warn: .*lacks one of listProfileTools/,
    ],
    [
      'it does not load',
      { 'dist/components/mcp/toolRegistry.js': 'throw new Error("broken")' },
      /^warn: .*broken/,
    ],
    [
      'its operations do not load',
      {
        'dist/components/mcp/toolRegistry.js': WORKING,
        'dist/components/mcp/tools/operations.js': 'import "nothing";',
      },
      /^warn: .*nothing/,
    ],
  ])('is none, with one line, where %s', async (_case, files, line) => {
    const { program } = await packageWith(files);
    const logger = keepingLogger();
    expect(await findRegistry(logger, [program])).toBeUndefined();
    expect(logger.lines).toEqual([expect.stringMatching(line)]);
  });
});
