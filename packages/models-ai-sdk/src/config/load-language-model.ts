import type { LanguageModelV3 } from '@ai-sdk/provider';
import { AgentError } from '@harperfast/agent-core/contracts';
import type { ModelEntry } from './model-entry.js';

/**
 * The model of an entry. The provider's package is loaded now, and only this one; rejects with what to install where
 * it is missing. Everything it could take from the environment by itself is given to it, so that the entry decides.
 */
export async function loadLanguageModel(entry: ModelEntry): Promise<LanguageModelV3> {
  switch (entry.provider) {
    case 'anthropic': {
      const { createAnthropic } = await installed(import('@ai-sdk/anthropic'), '@ai-sdk/anthropic@3');
      return createAnthropic({ apiKey: entry.apiKey, baseURL: versioned(entry.baseUrl) })(entry.model);
    }
    case 'openai': {
      const { createOpenAI } = await installed(import('@ai-sdk/openai'), '@ai-sdk/openai@3');
      const { apiKey, baseUrl, organization } = entry;
      // Chat completions, which is what other servers of this format speak.
      return createOpenAI({
        apiKey,
        baseURL: baseUrl,
        ...(organization === undefined ? {} : { organization }),
      }).chat(entry.model);
    }
    case 'ollama': {
      const { createOpenAICompatible } = await installed(
        import('@ai-sdk/openai-compatible'),
        '@ai-sdk/openai-compatible@2',
      );
      return createOpenAICompatible({ name: 'ollama', baseURL: `${ollamaUrl(entry.host)}/v1` }).chatModel(
        entry.model,
      );
    }
  }
}

async function installed<T>(loading: Promise<T>, name: string): Promise<T> {
  try {
    return await loading;
  } catch (cause) {
    throw new AgentError('model_config', `The provider's package cannot be loaded: npm install ${name}`, {
      cause,
    });
  }
}

/** Harper's base URL of Anthropic comes without the version, that of the AI SDK with it. */
function versioned(baseUrl: string): string {
  const url = withoutSlashes(baseUrl);
  return url.endsWith('/v1') ? url : `${url}/v1`;
}

/** As ollama reads OLLAMA_HOST: scheme, host and port may be left out. */
function ollamaUrl(host: string): string {
  const withScheme = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const url = withoutSlashes(withScheme === 'http://' ? 'http://localhost' : withScheme);
  return /:\d+$/.test(url) ? url : `${url}:11434`;
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}
