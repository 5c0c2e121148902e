import { UsageError } from './parse-arguments.js';

/** US dollars per million tokens, as the block `agent.prices` takes it. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
}

/** Which model answers, and how the host's configuration names it. */
export interface ModelChoice {
  /** For people. */
  readonly label: string;
  /** The file under `dist` that registers the model with the host. */
  readonly module: 'demo-model.js' | 'provider-model.js';
  /** What the module is configured with. */
  readonly config: Readonly<Record<string, string>>;
  readonly price: ModelPrice;
}

interface Provider {
  readonly name: 'anthropic' | 'openai' | 'ollama';
  readonly variable: string;
  /** The setting of the host's configuration that the variable is for. */
  readonly setting: 'apiKey' | 'host';
  /** The variable that names another server of the same format, if there is one. */
  readonly baseUrl?: string;
  readonly model: string;
  readonly price: ModelPrice;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'anthropic',
    variable: 'ANTHROPIC_API_KEY',
    setting: 'apiKey',
    baseUrl: 'ANTHROPIC_BASE_URL',
    model: 'claude-sonnet-4-6',
    price: { input: 3, output: 15, cachedInput: 0.3 },
  },
  {
    name: 'openai',
    variable: 'OPENAI_API_KEY',
    setting: 'apiKey',
    baseUrl: 'OPENAI_BASE_URL',
    model: 'gpt-5',
    price: { input: 1.25, output: 10, cachedInput: 0.125 },
  },
  {
    name: 'ollama',
    variable: 'OLLAMA_HOST',
    setting: 'host',
    model: 'qwen3',
    price: { input: 0, output: 0 },
  },
];

/**
 * The first provider whose variable is set, else the scripted demo model. Keys are never copied: the configuration
 * names the variable, and the host process reads it. Throws `UsageError` where the price of the model cannot be known.
 */
export function chooseModel(environment: Readonly<Record<string, string | undefined>>): ModelChoice {
  const isSet = (variable: string | undefined) =>
    variable !== undefined && (environment[variable] ?? '') !== '';
  const provider = PROVIDERS.find(({ variable }) => isSet(variable));
  if (provider === undefined) {
    return {
      label: 'a scripted demo model (no API key is set)',
      module: 'demo-model.js',
      config: {},
      // Invented, so that the example shows how costs add up; nothing is charged.
      price: { input: 3, output: 15 },
    };
  }
  const model = environment['AGENT_MODEL'] || provider.model;
  return {
    label: `${model} of ${provider.name} (${provider.variable} is set)`,
    module: 'provider-model.js',
    config: {
      provider: provider.name,
      model,
      [provider.setting]: `\${${provider.variable}}`,
      ...(isSet(provider.baseUrl) ? { baseUrl: `\${${provider.baseUrl}}` } : {}),
    },
    price: priceOf(provider, model, environment['AGENT_PRICE']),
  };
}

function priceOf(provider: Provider, model: string, given: string | undefined): ModelPrice {
  if (given !== undefined && given !== '') {
    const match = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(given.trim());
    if (match === null) {
      throw new UsageError(
        `AGENT_PRICE is '${given}'; give US dollars per million tokens as input/output, such as 3/15`,
      );
    }
    return { input: Number(match[1]), output: Number(match[2]) };
  }
  if (model === provider.model || provider.name === 'ollama') return provider.price;
  throw new UsageError(
    `The price of ${model} is not known here, and without it no cost cap can hold. ` +
      'Set AGENT_PRICE to US dollars per million tokens (input/output), such as AGENT_PRICE=3/15',
  );
}
