import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { chooseModel } from '../../../../examples/embedded/src/choose-model.js';
import { createModels } from '../../src/component/main/models.js';
import { registerModels } from '../../src/component/main/register-models.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const PROVIDERS = [
  {
    provider: 'anthropic',
    model: 'claude-sonnet-4-6',
    path: '/v1/messages',
    header: { 'x-api-key': 'key-of-the-test' },
  },
  {
    provider: 'openai',
    model: 'gpt-5',
    path: '/v1/chat/completions',
    header: { authorization: 'Bearer key-of-the-test' },
  },
];

describe.each(PROVIDERS)('a model of $provider', ({ provider, model, path, header }) => {
  /** What the provider is asked, once the models of HarperDB's main thread are those of this entry. */
  async function ask(entry: (base: string) => object) {
    const mock = new LLMock({ port: 0 });
    await mock.start();
    onTestFinished(() => void mock.stop());
    const sent: unknown[] = [];
    // Its own record of a request hides the keys.
    mock.mount('/v1', {
      async handleRequest({ headers }) {
        sent.push(headers);
        return false;
      },
    });
    mock.on({ predicate: () => true }, { content: 'hello from the wire' });
    const name = provider.toUpperCase();
    vi.stubEnv(`${name}_API_KEY`, 'key-of-the-test');
    vi.stubEnv(`${name}_BASE_URL`, `${mock.url}/v1`);
    const models = createModels();
    vi.stubGlobal('models', models);
    const complaints: string[] = [];
    await registerModels({ generative: { default: entry(`${mock.url}/v1`) } }, (message) =>
      complaints.push(message),
    );
    const answer = await models.generate('hello');
    return { complaints, answer, asked: mock.getLastRequest(), sent };
  }
  const expected = {
    complaints: [],
    answer: { content: 'hello from the wire' },
    asked: { path, body: { model } },
    sent: [header],
  };

  it("is served by models-ai-sdk where it is configured in Harper's form, with its key from the environment", async () => {
    const entry = (baseUrl: string) => ({
      backend: provider,
      model,
      apiKey: `\${${provider.toUpperCase()}_API_KEY}`,
      baseUrl,
    });
    expect(await ask(entry)).toMatchObject(expected);
  });

  it('is served where npm start has chosen it by the key in the environment', async () => {
    const seen = await ask(() => {
      const environment = { ...process.env };
      for (const other of PROVIDERS)
        if (other.provider !== provider) delete environment[`${other.provider.toUpperCase()}_API_KEY`];
      return { backend: '@harperfast/agent-models-ai-sdk', ...chooseModel(environment).config };
    });
    expect(seen).toMatchObject(expected);
  });
});
