import { Agent, buildConnector } from 'undici';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { AddressPolicy } from './address-policy.js';

/**
 * An undici agent that connects to nothing but what the policy allows, whatever URL it is handed. undici looks up no
 * literal address, so the address is checked here before connecting, and the peer's once more after it. The caller
 * destroys the agent, and with it every socket.
 */
export function createGuardedAgent(policy: AddressPolicy, timeoutMs: number): Agent {
  const connect = buildConnector({ timeout: timeoutMs });
  return new Agent({
    // The caller has one deadline over everything; these would be second ones.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      const address = options.hostname.replace(/^\[|\]$/g, '');
      const port = Number(options.port === '' ? 80 : options.port);
      if (options.protocol !== 'http:' || !policy.allows(address, port)) {
        callback(refused(address, port), null);
        return;
      }
      connect(options, (error, socket) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        const peer = socket.remoteAddress ?? 'nobody';
        if (policy.allows(peer, port)) {
          callback(null, socket);
          return;
        }
        socket.destroy();
        callback(refused(peer, port), null);
      });
    },
  });
}

function refused(address: string, port: number): ToolDeniedError {
  return new ToolDeniedError(`${address} at port ${port} is not an address that may be connected to.`);
}
