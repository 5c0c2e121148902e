import type { ToolProvider } from '@harperfast/agent-core/contracts';
import type { Egress } from '@harperfast/agent-tools-http';
import { httpTools } from '@harperfast/agent-tools-http';
import type { HarperHost } from '../host.js';
import { resolveAgentUser } from '../identity.js';
import type { AgentTokens } from './agent-tokens.js';

/**
 * `http_fetch` for this server: its application port and names, its operations port refused, tokens of the agent user.
 * Throws `InvalidRequestError` for an entry of `egress` that is no host.
 */
export function createHttpTools(
  host: HarperHost,
  egress: Egress,
  username: string,
  tokens: AgentTokens,
): ToolProvider {
  const { appPort, operationsPorts } = host;
  return httpTools({
    egress,
    self: {
      // Where operations answer on the same port, there is no application that could be fetched without them.
      ...(appPort === undefined || operationsPorts.includes(appPort)
        ? {}
        : { app: { host: '127.0.0.1', port: appPort } }),
      names: [host.node],
      deniedPorts: operationsPorts,
      peers: host.peers,
      token: () => tokens.current(),
      async refuseAnonymous() {
        if (!host.localIsSuperUser) return undefined;
        const { superUser } = await resolveAgentUser(host.server, username);
        if (superUser) return undefined;
        return (
          `This server takes a request of its own machine without credentials for a super_user's, which '${username}' ` +
          "is not: use as: 'agent', or have the operator set authentication.authorizeLocal to false."
        );
      },
    },
  });
}
