import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { Egress, SelfOptions } from '../options.js';
import { createAllowList } from './allow-list.js';
import { isLoopback, isPublicAddress, normalizeAddress } from './is-public-address.js';

/** Where a URL leads, as far as its text tells. `url` is what is to be requested. */
export interface Place {
  readonly kind: 'self' | 'listed' | 'unlisted';
  readonly url: URL;
}

/** The one decision about where a request may go. The effect of a call, every redirect and every connection ask it. */
export interface EgressPolicy {
  /** Throws `ToolDeniedError`, saying what can be fetched, for a place that is never contacted. Looks nothing up. */
  judge(url: URL): Place;
  /** Whether a connection to this address may be made for a URL with this host, a name or an address. */
  allows(host: string, address: string, port: number): boolean;
  /** One line for descriptions and refusals. */
  readonly summary: string;
}

/**
 * Lets requests through to this server's own application, to the hosts that are listed and, as `unlisted`, to any
 * other public host. Nothing that happens later changes it but the names of the server's peers.
 */
export function createEgressPolicy(self: SelfOptions, egress: Egress): EgressPolicy {
  const list = createAllowList(egress === true ? [] : egress.allow);
  const { app, peers = () => [] } = self;
  const names = new Set(['localhost', ...(self.names ?? []).map((name) => name.toLowerCase())]);
  const denied = new Set(self.deniedPorts);
  const appOrigin = app === undefined ? undefined : `http://${bracketed(app.host)}:${app.port}`;
  const summary = [
    appOrigin === undefined
      ? 'There is no application of this server to fetch from.'
      : `This server's own application is at ${appOrigin}.`,
    egress === true
      ? 'Any public host can be fetched; other methods than GET and HEAD need an approval.'
      : `${egress.allow.length === 0 ? '' : `GET and HEAD are free for ${egress.allow.join(', ')}. `}Other public hosts need an approval.`,
  ].join(' ');
  const refuse = (why: string) => new ToolDeniedError(`${why} ${summary}`);

  function allowsAddress(address: string, port: number): boolean {
    if (denied.has(port)) return false;
    if (list.listsAddress(address, port)) return true;
    return isPublicAddress(address) && !ownAddresses().has(normalizeAddress(address));
  }

  return {
    summary,
    judge(given) {
      const url = new URL(given);
      url.hash = '';
      const host = hostOf(url);
      const port = portOf(url);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw refuse(`The scheme '${url.protocol}' is not fetched, only http: and https:.`);
      }
      if (url.username !== '' || url.password !== '') {
        throw refuse('A URL with a user name or password is not fetched: use headers.');
      }
      if (denied.has(port)) {
        throw refuse(
          `Port ${port} is that of the operations API, which http_fetch never calls: use the operation tools, ` +
            "which run as the agent's own user.",
        );
      }
      const here = isLoopback(host) || names.has(host);
      if (here && app !== undefined && port === app.port && url.protocol === 'http:') {
        url.host = `${bracketed(app.host)}:${app.port}`;
        return { kind: 'self', url };
      }
      if (list.lists(host, port)) return { kind: 'listed', url };
      if (here) throw refuse(`Port ${port} of this server is not its application's, and was not contacted.`);
      if (isIP(host) !== 0 && !allowsAddress(host, port)) {
        throw refuse(`${host} is not a public address, or one of this machine, and was not contacted.`);
      }
      if (peers().some((peer) => peer.toLowerCase() === host)) {
        throw refuse(
          `'${host}' is a server of the same cluster, which is not listed, and was not contacted.`,
        );
      }
      return { kind: egress === true ? 'listed' : 'unlisted', url };
    },
    allows(host, address, port) {
      if (isIP(address) === 0) return false;
      // A name that merely resolves to this server is not this server: only the address itself, written out, is.
      const own = app === undefined ? undefined : normalizeAddress(app.host);
      if (app?.port === port && own === normalizeAddress(host) && own === normalizeAddress(address))
        return true;
      return allowsAddress(address, port);
    },
  };
}

/** The host of a URL as the lists spell it: no brackets, no dot at the end, one spelling for each address. */
export function hostOf({ hostname }: URL): string {
  return normalizeAddress(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''));
}

/** The port a URL leads to. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return new Set(all.map(({ address }) => normalizeAddress(address)));
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
