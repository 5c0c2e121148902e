import { Models } from '@harperfast/agent-testkit/host';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { register } from '../../src/index.js';
import { openMock } from '../support/open-mock.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.doUnmock('@ai-sdk/anthropic');
});

const entry = (config: object) => ({ logicalName: 'small', kind: 'generative', config });

describe('register', () => {
  it.each([
    {
      form: "an entry in Harper's form",
      config: (url: string) => ({ backend: 'anthropic', apiKey: '${A_KEY}', baseUrl: url }),
      path: '/v1/messages',
    },
    {
      form: 'an entry that names this module, with a base URL as the AI SDK has it',
      config: (url: string) => ({
        backend: './x.js',
        provider: 'anthropic',
        apiKey: '${A_KEY}',
        baseUrl: `${url}/v1/`,
      }),
      path: '/v1/messages',
    },
    {
      form: 'a server of the format of OpenAI',
      config: (url: string) => ({
        backend: 'openai',
        apiKey: '${A_KEY}',
        baseUrl: `${url}/v1`,
        organization: 'org',
      }),
      path: '/v1/chat/completions',
    },
    {
      form: 'ollama, with the host as OLLAMA_HOST has it',
      config: (url: string) => ({ backend: 'ollama', host: url.replace('http://', '') }),
      path: '/v1/chat/completions',
    },
  ])('puts the model behind its logical name: $form', async ({ config, path }) => {
    const mock = await openMock();
    mock.on({ predicate: () => true }, { content: 'hi' });
    const models = new Models();
    vi.stubGlobal('models', models);
    vi.stubEnv('A_KEY', 'key-of-the-test');
    await register(entry({ model: 'm-1', fallback: [], ...config(mock.url) }));
    expect(await models.generate('hello', { model: 'small' })).toMatchObject({ content: 'hi' });
    expect(mock.getLastRequest()).toMatchObject({ path, body: { model: 'm-1' } });
  });

  it('keeps to the requestTimeoutMs of the entry', async () => {
    const mock = await openMock();
    mock.on({ predicate: () => true }, () => new Promise(() => undefined));
    const models = new Models();
    vi.stubGlobal('models', models);
    await register(entry({ backend: 'ollama', model: 'q', host: mock.url, requestTimeoutMs: 20 }));
    await expect(models.generate('hello', { model: 'small' })).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('says what is wrong: another kind, no models, an entry that cannot be used', async () => {
    const bad = entry({ backend: './x.js', model: 'm' });
    await expect(register(bad)).rejects.toThrow(/models\.generative\.small.*no global 'models'/);
    vi.stubGlobal('models', new Models());
    await expect(register({ ...bad, kind: 'embedding' })).rejects.toThrow(/models\.embedding\.small/);
    await expect(register(bad)).rejects.toThrow(/models\.generative\.small cannot be used[^]*provider/);
  });

  it('names what to install where the package of a provider is missing', async () => {
    vi.doMock('@ai-sdk/anthropic', () => {
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    });
    vi.stubGlobal('models', new Models());
    vi.stubEnv('A_KEY', 'key-of-the-test');
    const registered = register(entry({ backend: 'anthropic', model: 'm', apiKey: '${A_KEY}' }));
    await expect(registered).rejects.toThrow('npm install @ai-sdk/anthropic@3');
  });
});
