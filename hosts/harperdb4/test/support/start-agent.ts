import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddedHost, HostOptions } from '@harperfast/agent-testkit/host';
import { startHarperDb } from '../../src/index.js';

/** HarperDB with the built agent in it, on a model that answers `hello back`. */
export function startAgent(options: HostOptions = {}): Promise<EmbeddedHost> {
  const manifest = createRequire(import.meta.url).resolve('@harperfast/agent-harper-adapter/package.json');
  return startHarperDb({
    builtins: { agent: join(dirname(manifest), 'dist', 'index.js') },
    ...options,
    config: {
      models: { generative: { default: { backend: fileURLToPath(new URL('model.mjs', import.meta.url)) } } },
      agent: { enabled: true, prices: { default: { input: 0, output: 0 } }, maxCostUsd: 0 },
      ...options.config,
    },
  });
}
