import type { ToolProvider } from '@harperfast/agent-core/contracts';
import { fsTools } from '@harperfast/agent-tools-fs';
import { httpTools } from '@harperfast/agent-tools-http';
import type { Pack } from './config.js';
import type { HarperHost } from './host.js';
import type { LivePacks } from './live-packs.js';
import { operationTools } from './registry/operation-tools.js';

/**
 * The tools of the packs that are on at the moment they are asked for. The operator-only ones come first: of two
 * tools of one name theirs is used.
 */
export function createToolProviders(
  host: HarperHost,
  live: Pick<LivePacks, 'refresh'>,
  componentsRoot: string,
): readonly ToolProvider[] {
  // One provider for each choice of packs, kept: the same packs always bring the same tools.
  const known = new Map<string, readonly ToolProvider[]>();
  const privateTools = (packs: ReadonlySet<Pack>): readonly ToolProvider[] => {
    const key = [...packs].toSorted().join(' ');
    const providers = known.get(key) ?? createPrivateProviders(host, packs, componentsRoot);
    known.set(key, providers);
    return providers;
  };
  const all = () => [...known.values()].flat();

  return [
    {
      name: 'operator-only tools',
      async tools(caller) {
        const providers = privateTools(await live.refresh());
        return (await Promise.all(providers.map(async (provider) => provider.tools(caller)))).flat();
      },
      async sessionEnded(sessionId) {
        await Promise.all(all().map(async (provider) => provider.sessionEnded?.(sessionId)));
      },
      async close() {
        await Promise.all(all().map((provider) => provider.close()));
      },
    },
    operationTools(host.server),
  ];
}

function createPrivateProviders(
  host: HarperHost,
  packs: ReadonlySet<Pack>,
  componentsRoot: string,
): readonly ToolProvider[] {
  const files = fsTools({
    roots: {
      components: { path: componentsRoot, mode: packs.has('file-writes') ? 'rw' : 'r' },
      ...(packs.has('logs') ? { logs: { path: host.paths.logs, mode: 'r' as const } } : {}),
      ...(packs.has('config') ? { config: { path: host.paths.config, mode: 'r' as const } } : {}),
    },
  });
  if (!packs.has('http') || host.appPort === undefined) return [files];
  return [files, httpTools({ self: [{ host: '127.0.0.1', port: host.appPort, purpose: 'app' }] })];
}
