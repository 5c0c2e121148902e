import type { HarperHost } from '../../host.js';
import { resolveAgentUser } from '../../identity.js';
import { callRegistryTool, isVisible } from '../call-registry-tool.js';
import type { ApplicationSource } from './application-source.js';
import { applicationToolsSchema } from './application-source.js';

/** Whether this thread serves applications, whose tools are in its registry then. */
export function servesApplications({ registry }: Pick<HarperHost, 'registry'>): boolean {
  return registry !== undefined && registry.listProfileTools('application').length > 0;
}

/** The tools of applications that Harper's registry holds in this thread. */
export function registrySource(host: Pick<HarperHost, 'server' | 'registry'>): ApplicationSource {
  return {
    async list(caller) {
      const tools = host.registry?.listProfileTools('application') ?? [];
      const { user } = await resolveAgentUser(host.server, caller.user);
      return applicationToolsSchema.parse(tools.filter((tool) => isVisible(tool, user)));
    },
    call: (name, input, context) => callRegistryTool(host, { name, profile: 'application' }, input, context),
    close: async () => undefined,
  };
}
