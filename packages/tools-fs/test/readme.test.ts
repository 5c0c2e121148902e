import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fsTools, openFileChangeLog } from '../src/index.js';
import { toolsOf } from './support/call-tool.js';

/** The example as a function of what it imports; what it makes is its result. */
async function runExample(source: string): Promise<readonly string[] | undefined> {
  const body = source
    .replace(/^import .*$/m, '')
    .replace('const provider =', 'const provider = made.provider =');
  const made: { provider?: ReturnType<typeof fsTools> } = {};
  const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor;
  await new AsyncFunction('fsTools', 'openFileChangeLog', 'made', body)(fsTools, openFileChangeLog, made);
  return made.provider === undefined ? undefined : (await toolsOf(made.provider)).map(({ name }) => name);
}

it('the example of the README runs and makes the tools it names', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  expect(example).toContain("import { fsTools, openFileChangeLog } from '@harperfast/agent-tools-fs';");
  const named = [...readme.matchAll(/^\| `([a-z]+_[a-z]+)` /gm)].map(({ 1: name }) => name);
  expect(new Set(await runExample(example))).toEqual(new Set(named));
});
