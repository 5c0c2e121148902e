import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fsTools } from '../src/index.js';
import { toolsOf } from './support/call-tool.js';

/** The example as a function of the one thing it imports; what it makes is its result. */
async function runExample(source: string): Promise<unknown> {
  const body = source
    .replace(/^import .*$/m, '')
    .replace('const provider =', 'const provider = made.provider =');
  const made: { provider?: ReturnType<typeof fsTools> } = {};
  const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor;
  await new AsyncFunction('fsTools', 'made', body)(fsTools, made);
  return made.provider === undefined ? undefined : (await toolsOf(made.provider)).map(({ name }) => name);
}

it('the example of the README runs and makes the tools it names', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  expect(example).toContain("import { fsTools } from '@harperfast/agent-tools-fs';");
  expect(await runExample(example)).toEqual(['read_file', 'list_dir', 'write_file']);
});
