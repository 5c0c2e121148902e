import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { inspectorTools } from '../src/index.js';
import { callTool } from './support/call-tool.js';
import { startWorker } from './support/start-worker.js';

it('the example of the README runs, and the tools are those it names', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  expect(example).toContain("import { inspectorTools } from '@harperfast/agent-tools-inspector';");
  const worker = await startWorker();
  const body = `${example.replace(/^import .*$/m, '')}\nreturn provider;`;
  const FunctionOf: FunctionConstructor = Object.getPrototypeOf(() => undefined).constructor;
  const provider: ReturnType<typeof inspectorTools> = new FunctionOf('inspectorTools', 'worker', body)(
    inspectorTools,
    worker,
  );
  onTestFinished(() => provider.close());
  const { text } = await callTool(provider, 'inspector_status', {});
  expect(text).toBe(`worker 0 (thread ${worker.threadId}): not attached`);
  const names = (await provider.tools({ user: 'hdb_agent' })).map(({ name }) => name);
  expect([...new Set(readme.match(/inspector_[a-z_]+/g))].toSorted()).toEqual(names.toSorted());
});
