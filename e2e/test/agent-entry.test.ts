import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

const page = new URL('../../docs/harper-pro.md', import.meta.url);
const here = fileURLToPath(new URL('.', import.meta.url));

it('the entry that docs/harper-pro.md shows starts the agent of the package', async () => {
  const [, source] = /```ts\n(\/\/ agent\/agent\.ts\n[^]*?)```/.exec(await readFile(page, 'utf8')) ?? [];
  if (source === undefined) throw new Error('docs/harper-pro.md shows no agent/agent.ts');
  // Where the package can be resolved from.
  const folder = await mkdtemp(join(here, 'agent-entry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const module = join(folder, 'agent.mjs');
  await writeFile(module, (await transform(source, { loader: 'ts' })).code);

  const host = await startAgentHost({ build: { identifier: module, module } });
  onTestFinished(() => host.stop());
  expect(await new AgentApi(host).call('list_agent_sessions')).toMatchObject({ sessions: [] });
}, 60_000);
