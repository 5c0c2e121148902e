import { lookup as dnsLookup } from 'node:dns';
import type { ToolProvider } from '@harperfast/agent-core/contracts';
import { createEgressPolicy } from './egress/egress-policy.js';
import { createGuardedFetch } from './fetch/guarded-fetch.js';
import { type HttpToolsOptions, readLimits, readSelf } from './options.js';
import { createPageConverter } from './page/page-converter.js';
import { httpFetchTool } from './tools/http-fetch.js';

/**
 * `http_fetch` for this server's own application and for public hosts, behind one address policy that is fixed from
 * here on. Throws `InvalidRequestError` for options it cannot use. `close` ends requests in flight.
 */
export function httpTools(options: HttpToolsOptions = {}): ToolProvider {
  const { egress = { allow: [] }, lookup = dnsLookup } = options;
  const limits = readLimits(options.limits);
  const self = readSelf(options.self);
  const policy = createEgressPolicy(self, egress);
  const guarded = createGuardedFetch(policy, lookup, limits);
  const pages = createPageConverter();
  const tools = [httpFetchTool({ self, policy, guarded, pages, limits })];
  return {
    name: 'http',
    tools: () => tools,
    async close() {
      await Promise.all([guarded.close(), pages.close()]);
    },
  };
}
