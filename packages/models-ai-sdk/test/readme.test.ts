import { readFile } from 'node:fs/promises';
import { createAnthropic } from '@ai-sdk/anthropic';
import type { ModelGateway } from '@harperfast/agent-core/contracts';
import { Models } from '@harperfast/agent-testkit/host';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAiSdkGateway, register } from '../src/index.js';

let readme: string;
beforeAll(async () => {
  readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('the README', () => {
  it('has an example that makes a gateway', async () => {
    const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    expect(example).toContain("import { createAiSdkGateway } from '@harperfast/agent-models-ai-sdk';");
    const body = example.replaceAll(/^import .*$/gm, '').replace('const gateway =', 'made.gateway =');
    const made: { gateway?: ModelGateway } = {};
    const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor;
    const run = new AsyncFunction('createAnthropic', 'createAiSdkGateway', 'made', body);
    await run(createAnthropic, createAiSdkGateway, made);
    expect(made.gateway?.name).toBe('ai-sdk');
  });

  it('has an entry of the configuration that can be used as it is', async () => {
    const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
    // The entry's own lines are flat: `name: value`.
    const lines = [...yaml.matchAll(/^ {6}(\w+): (.*)$/gm)];
    const config = Object.fromEntries(
      lines.map(([, name = '', value = '']) => [name, value.replaceAll("'", '')]),
    );
    expect(Object.keys(config)).toEqual(['backend', 'provider', 'model', 'apiKey']);
    const models = new Models();
    const registered = vi.spyOn(models, 'registerBackend');
    vi.stubGlobal('models', models);
    vi.stubEnv('ANTHROPIC_API_KEY', 'a-key');
    await register({ logicalName: 'default', kind: 'generative', config });
    expect(registered.mock.calls).toMatchObject([['generative', 'default', { name: 'anthropic.messages' }]]);
  });
});
