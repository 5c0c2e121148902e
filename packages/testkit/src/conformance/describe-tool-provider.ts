import type { Caller, Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import { describeChecks } from './check.js';
import type { CheckGroup } from './check.js';
import { effectChecks } from './tool-provider/effect-checks.js';
import { listingChecks } from './tool-provider/listing-checks.js';
import { schemaChecks } from './tool-provider/schema-checks.js';

/** A provider under test. */
export interface OpenedProvider {
  readonly provider: ToolProvider;
  /** On whose behalf its tools are listed; by default the user `hdb_agent`. */
  readonly caller?: Caller;
  /** Inputs by tool name, as a model would write them; a tool whose effect depends on its input needs some of each effect. */
  readonly samples?: { readonly [tool: string]: readonly unknown[] };
  /** Removes what the provider was made on; the suite has closed the provider itself. */
  close?(): Promise<void>;
}

/** What the checks see: the provider and the tools it listed once. */
export interface ProviderSubject {
  readonly provider: ToolProvider;
  readonly caller: Caller;
  readonly tools: readonly Tool[];
  readonly samples: (tool: string) => readonly unknown[];
  readonly sampledNames: readonly string[];
  close(): Promise<void>;
}

/** Everything the suite checks, for other test runners. */
export const toolProviderChecks: readonly CheckGroup<ProviderSubject>[] = [
  { title: 'listing', checks: listingChecks },
  { title: 'schemas', checks: schemaChecks },
  { title: 'effects', checks: effectChecks },
];

/** Checks that a `ToolProvider` keeps its contract; it runs no tool. `create` is called for every test. */
export function describeToolProvider(
  name: string,
  create: () => Promise<OpenedProvider> | OpenedProvider,
): void {
  describeChecks(
    name,
    toolProviderChecks,
    () => openProvider(create),
    (subject) => subject.close(),
  );
}

/** Opens a provider the way the checks need it. */
export async function openProvider(
  create: () => Promise<OpenedProvider> | OpenedProvider,
): Promise<ProviderSubject> {
  const opened = await create();
  const { provider, caller = { user: 'hdb_agent' }, samples = {} } = opened;
  const byName = new Map(Object.entries(samples));
  return {
    provider,
    caller,
    tools: await provider.tools(caller),
    samples: (tool) => byName.get(tool) ?? [],
    sampledNames: [...byName.keys()],
    async close() {
      await provider.close();
      await opened.close?.();
    },
  };
}
