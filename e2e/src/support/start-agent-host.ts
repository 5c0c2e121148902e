import { fileURLToPath } from 'node:url';
import type { Credentials, EmbeddedHost, HostOptions } from '@harperfast/agent-testkit/host';
import { startHost } from '@harperfast/agent-testkit/host';
import type { AgentBuild } from './agent-build.js';
import { packageBuild } from './agent-build.js';

/** Starts a host on these options. */
export type StartHost = (options: HostOptions) => Promise<EmbeddedHost>;

/** A host with the agent in it. */
export interface AgentHostOptions {
  /** URL of the module that registers the model; absent: the host has no model. */
  readonly model?: URL;
  /** The block `agent:` beside `enabled: true`; its keys win. */
  readonly agent?: Readonly<Record<string, unknown>>;
  /** Root configuration beside the models, the threads and the agent. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What it runs in; the stand-in for a Harper server by default. */
  readonly start?: StartHost;
  /** What runs as the agent; the package by default. */
  readonly build?: AgentBuild;
  /** URL of a component that wraps the agent: it finds the module of the build in AGENT_MODULE. */
  readonly component?: URL;
  /** Application workers; one, which is quicker to start and to replace, by default. */
  readonly workers?: number;
  /** The super user the host has; the host's own default otherwise. */
  readonly admin?: Credentials;
}

// Whatever keys the machine has, nothing that runs here may use them.
const NO_KEYS = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', OLLAMA_HOST: '' };

/** Starts a host, as a process of its own, with the built agent as its component. Files are temporary. */
export function startAgentHost({
  model,
  agent = {},
  config = {},
  build = packageBuild(),
  start = startHost,
  component,
  workers = 1,
  admin,
}: AgentHostOptions): Promise<EmbeddedHost> {
  return start({
    ...(admin === undefined ? {} : { admin }),
    builtins: { agent: component === undefined ? build.identifier : fileURLToPath(component) },
    env: {
      ...NO_KEYS,
      AGENT_MODULE: build.module,
      ...(build.packageRoot === undefined ? {} : { PACKAGE_ROOT: build.packageRoot }),
    },
    config: {
      ...config,
      ...(model === undefined
        ? {}
        : { models: { generative: { default: { backend: fileURLToPath(model) } } } }),
      threads: { count: workers },
      agent: { enabled: true, prices: { default: { input: 1, output: 1 } }, ...agent },
    },
  });
}
