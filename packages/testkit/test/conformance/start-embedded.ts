import { join } from 'node:path';
import type { HarperHostSetup } from '../../src/conformance/harper-host/harper-host.js';
import { startHost } from '../../src/host/index.js';
import type { EmbeddedHost } from '../../src/host/index.js';

/** Starts the embedded host with the components of the suite, after these built-in ones of the test's own. */
export function startEmbedded(
  { components, config }: HarperHostSetup,
  first: Readonly<Record<string, string>> = {},
): Promise<EmbeddedHost> {
  const blocks = Object.keys(first).map((name): [string, boolean] => [name, true]);
  const entries = components.map((component): [string, object] => [component.name, component.config]);
  const files = components.map(({ name, folder }): [string, string] => [name, join(folder, 'index.js')]);
  return startHost({
    builtins: { ...first, ...Object.fromEntries(files) },
    config: { ...config, ...Object.fromEntries([...blocks, ...entries]) },
  });
}
