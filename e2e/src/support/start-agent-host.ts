import { fileURLToPath } from 'node:url';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { startHost } from '@harperfast/agent-testkit/host';
import { builtAdapter } from './built-adapter.js';

/** A host with the agent in it. */
export interface AgentHostOptions {
  /** URL of the module that registers the model; absent: the host has no model. */
  readonly model?: URL;
  /** The block `agent:` beside `enabled: true`; its keys win. */
  readonly agent?: Readonly<Record<string, unknown>>;
  /** URL of a component to load as the agent; absent: the built adapter itself. */
  readonly component?: URL;
  /** Application workers; one, which is quicker to start and to replace, by default. */
  readonly workers?: number;
}

// Whatever keys the machine has, nothing that runs here may use them.
const NO_KEYS = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', OLLAMA_HOST: '' };

/** Starts a host, as a process of its own, with the built agent as its component. Files are temporary. */
export function startAgentHost({
  model,
  agent = {},
  component,
  workers = 1,
}: AgentHostOptions): Promise<EmbeddedHost> {
  return startHost({
    builtins: { agent: component === undefined ? builtAdapter() : fileURLToPath(component) },
    env: NO_KEYS,
    config: {
      ...(model === undefined
        ? {}
        : { models: { generative: { default: { backend: fileURLToPath(model) } } } }),
      threads: { count: workers },
      agent: { enabled: true, prices: { default: { input: 1, output: 1 } }, ...agent },
    },
  });
}
