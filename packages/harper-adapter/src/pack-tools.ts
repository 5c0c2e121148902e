import type { ToolProvider } from '@harperfast/agent-core/contracts';
import type { ChangeLog, FsToolsOptions } from '@harperfast/agent-tools-fs';
import { fsTools } from '@harperfast/agent-tools-fs';
import { inspectorTools } from '@harperfast/agent-tools-inspector';
import type { Pack } from './config.js';
import type { HarperHost } from './host.js';
import type { LivePacks } from './live-packs.js';
import { createConfiguredSecrets } from './redaction/configured-secrets.js';

export interface PackToolsParts {
  readonly live: Pick<LivePacks, 'refresh'>;
  readonly componentsRoot: string;
  /** The pack of that name; it is closed with the others. */
  readonly http: ToolProvider;
  /** Keeps what the file tools replace, until the session is deleted. */
  readonly changeLog: ChangeLog;
  /** Keys the hashes of files that a model sees; the same one after a restart. */
  readonly hashKey: string;
}

/** The tools of the packs that are on at the moment they are asked for. */
export function packTools(
  host: HarperHost,
  { live, componentsRoot, http, changeLog, hashKey }: PackToolsParts,
): ToolProvider {
  const inspector = inspectorTools({ workers: host.workers, root: componentsRoot });
  const secrets = createConfiguredSecrets(host.config, process.env);
  // One provider for each choice of packs, kept: the same packs always bring the same tools.
  const known = new Map<string, readonly ToolProvider[]>();
  const privateTools = (packs: ReadonlySet<Pack>): readonly ToolProvider[] => {
    const key = [...packs].toSorted().join(' ');
    const providers = known.get(key) ?? [
      fsTools({ roots: fileRoots(host, packs, componentsRoot), secrets, changeLog, hashKey }),
      ...(packs.has('http') ? [http] : []),
      ...(packs.has('inspector') ? [inspector] : []),
    ];
    known.set(key, providers);
    return providers;
  };
  const all = () => [...known.values()].flat();

  return {
    name: 'operator-only tools',
    async tools(caller) {
      const providers = privateTools(await live.refresh());
      return (await Promise.all(providers.map(async (provider) => provider.tools(caller)))).flat();
    },
    async sessionEnded(sessionId, why) {
      await Promise.all(all().map(async (provider) => provider.sessionEnded?.(sessionId, why)));
      if (why === 'deleted') await changeLog.remove(sessionId);
    },
    async close() {
      await Promise.all([http, inspector, ...all()].map((provider) => provider.close()));
    },
  };
}

function fileRoots(
  host: HarperHost,
  packs: ReadonlySet<Pack>,
  componentsRoot: string,
): FsToolsOptions['roots'] {
  return {
    components: { path: componentsRoot, mode: packs.has('file-writes') ? 'rw' : 'r' },
    ...(packs.has('logs') ? { logs: { path: host.paths.logs, mode: 'r' } } : {}),
    ...(packs.has('config') ? { config: { path: host.paths.config, mode: 'r' } } : {}),
  };
}
