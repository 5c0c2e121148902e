import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { Agent, buildConnector } from 'undici';
import type { EgressPolicy } from '../egress/egress-policy.js';
import { normalizeAddress } from '../egress/is-public-address.js';

/**
 * An undici agent that connects to nothing but what the policy allows, whatever URL it is handed. A literal address is
 * checked before connecting, because undici looks none up; of a name every address it resolves to, and only these are
 * connected to; and of every connection its peer. The caller destroys the agent, and with it every socket.
 */
export function createGuardedAgent(
  policy: EgressPolicy,
  lookup: LookupFunction,
  { timeoutMs, background = false }: { readonly timeoutMs: number; readonly background?: boolean },
): Agent {
  return new Agent({
    // The caller has one deadline over everything; these would be second ones.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      const host = normalizeAddress(options.hostname.replace(/^\[|\]$/g, ''));
      const port = Number(options.port === '' ? (options.protocol === 'https:' ? 443 : 80) : options.port);
      if (isIP(host) !== 0 && !policy.allows(host, host, port)) {
        callback(refused(host, port), null);
        return;
      }
      const connect = buildConnector({
        timeout: timeoutMs,
        lookup: checkedLookup(lookup, (address) => policy.allows(host, address, port), port),
      });
      connect(options, (error, socket) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        const peer = socket.remoteAddress ?? 'nobody';
        if (policy.allows(host, peer, port)) {
          if (background) socket.unref();
          callback(null, socket);
          return;
        }
        socket.destroy();
        callback(refused(peer, port), null);
      });
    },
  });
}

/** Fails where the name leads nowhere or where any of its addresses is not allowed; else hands on exactly these. */
function checkedLookup(
  lookup: LookupFunction,
  allows: (address: string) => boolean,
  port: number,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const addresses = Array.isArray(found) ? found : [];
      const bad = addresses.find(({ address }) => !allows(address));
      const [first] = addresses;
      if (bad !== undefined || first === undefined) {
        callback(first === undefined ? nowhere(hostname) : refused(bad?.address ?? '', port, hostname), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function nowhere(hostname: string): Error {
  return Object.assign(new Error(`The name ${hostname} leads to no address`), { code: 'ENOTFOUND' });
}

function refused(address: string, port: number, name?: string): ToolDeniedError {
  const what = name === undefined ? address : `'${name}' leads to ${address}, which`;
  return new ToolDeniedError(
    `${what} ${name === undefined ? 'at' : 'with'} port ${port} is not an address that may be connected to.`,
  );
}
