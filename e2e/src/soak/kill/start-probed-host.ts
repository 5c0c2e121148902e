import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { startHost } from '@harperfast/agent-testkit/host';
import { packageBuild } from '../../support/agent-build.js';
import type { StartHost } from '../../support/start-agent-host.js';

/** A host whose agent can append to a file, and the file. */
export interface ProbedHost {
  readonly host: EmbeddedHost;
  readonly file: string;
}

/** Starts a host, as a process of its own, with the built agent and the component that counts effects. */
export async function startProbedHost(start: StartHost = startHost): Promise<ProbedHost> {
  const file = join(await mkdtemp(join(tmpdir(), 'soak-kill-')), 'effects');
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const host = await start({
    builtins: { agent: packageBuild().identifier, probe: here('./append-probe.mjs') },
    env: { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', OLLAMA_HOST: '' },
    config: {
      models: { generative: { default: { backend: here('./kill-model.mjs') } } },
      threads: { count: 1 },
      // Before the agent: what it resumes at its start must find the operation replaced.
      probe: { file },
      agent: { enabled: true, prices: { default: { input: 0, output: 0 } }, maxCostUsd: 0 },
    },
  });
  return { host, file };
}
