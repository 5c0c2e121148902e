import type { ToolProvider } from '@harperfast/agent-core/contracts';
import { createAddressPolicy } from './fetch/address-policy.js';
import { createGuardedFetch } from './fetch/guarded-fetch.js';
import { type HttpToolsOptions, readLimits, readSelf } from './options.js';
import { httpFetchTool } from './tools/http-fetch.js';

/**
 * `http_fetch` for this server's own application ports, and no other address. Throws `InvalidRequestError` for options
 * it cannot use. `close` ends requests in flight.
 */
export function httpTools(options: HttpToolsOptions): ToolProvider {
  const limits = readLimits(options.limits);
  const policy = createAddressPolicy(readSelf(options.self));
  const guarded = createGuardedFetch(policy, limits);
  const tools = [httpFetchTool(policy, guarded, limits)];
  return { name: 'http', tools: () => tools, close: () => guarded.close() };
}
