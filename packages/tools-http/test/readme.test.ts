import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { httpTools } from '../src/index.js';
import { toolsOf } from './support/call-tool.js';

/** The example as a function of the one thing it imports; what it makes is its result. */
async function runExample(source: string): Promise<unknown> {
  const body = source
    .replace(/^import .*$/m, '')
    .replace('const provider =', 'const provider = made.provider =');
  const made: { provider?: ReturnType<typeof httpTools> } = {};
  const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor;
  await new AsyncFunction('httpTools', 'made', body)(httpTools, made);
  return made.provider === undefined ? undefined : (await toolsOf(made.provider)).map(({ name }) => name);
}

it('the example of the README runs and makes the tools it names', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  expect(example).toContain("import { httpTools } from '@harperfast/agent-tools-http';");
  expect(await runExample(example)).toEqual(['http_fetch']);
});
