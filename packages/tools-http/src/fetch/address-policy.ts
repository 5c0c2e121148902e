import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import ipaddr from 'ipaddr.js';
import type { SelfPort } from '../options.js';

/** The one decision about where a request may go. Every URL, every redirect and every connection asks it. */
export interface AddressPolicy {
  /**
   * Resolves with the same URL at the one address that was checked: a literal, so that nothing is looked up later.
   * Throws `ToolDeniedError`, saying what can be fetched, for everything else.
   */
  check(url: URL): URL;
  /** Whether a connection may be made to exactly this address and port. */
  allows(address: string, port: number): boolean;
  /** One line for descriptions and refusals. */
  readonly summary: string;
}

/** Lets requests through to this server's own application ports, under any spelling of a loopback address. */
export function createAddressPolicy(self: readonly SelfPort[]): AddressPolicy {
  const apps = self.filter(({ purpose }) => purpose === 'app');
  const summary =
    apps.length === 0
      ? 'This server has no application port to fetch from.'
      : `Only this server's own application can be fetched: ${apps.map(origin).join(', ')}.`;

  function check(url: URL): URL {
    if (url.protocol !== 'http:') {
      throw new ToolDeniedError(`The scheme '${url.protocol}' is not fetched, only 'http:'. ${summary}`);
    }
    if (url.username !== '' || url.password !== '') {
      throw new ToolDeniedError(`A URL with a user name or password is not fetched: use headers. ${summary}`);
    }
    const port = url.port === '' ? 80 : Number(url.port);
    if (!meansThisServer(url.hostname)) {
      throw new ToolDeniedError(`'${url.hostname}' is not this server and was not contacted. ${summary}`);
    }
    const found = self.find((candidate) => candidate.port === port);
    if (found?.purpose === 'operations') {
      throw new ToolDeniedError(
        `Port ${port} is this server's operations API, which http_fetch never calls: use the operation tools, ` +
          `which run as the agent's own user. ${summary}`,
      );
    }
    if (found === undefined) {
      throw new ToolDeniedError(
        `Port ${port} of this server is not an application port and was not contacted. ${summary}`,
      );
    }
    const checked = new URL(url);
    checked.host = hostOf(found);
    checked.hash = '';
    return checked;
  }

  return {
    check,
    summary,
    allows: (address, port) =>
      ipaddr.isValid(address) && apps.some((app) => app.port === port && sameAddress(app.host, address)),
  };
}

/**
 * `localhost`, or a literal that reaches this machine. The URL parser has already turned 127.1, 2130706433 and
 * 0x7f.1 into dotted form; `process` unwraps IPv4 inside IPv6. No other name is looked up: its owner decides where
 * it leads.
 */
function meansThisServer(hostname: string): boolean {
  if (hostname === 'localhost') return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === 'loopback' || range === 'unspecified';
}

function sameAddress(one: string, other: string): boolean {
  return ipaddr.process(one).toNormalizedString() === ipaddr.process(other).toNormalizedString();
}

function hostOf({ host, port }: SelfPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function origin(port: SelfPort): string {
  return `http://${hostOf(port)}`;
}
