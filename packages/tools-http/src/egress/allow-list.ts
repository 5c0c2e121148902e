import { isIP } from 'node:net';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import ipaddr from 'ipaddr.js';
import { normalizeAddress } from './is-public-address.js';

/** What an operator listed. */
export interface AllowList {
  /** Whether this host, a name or an address, may be asked at this port. */
  lists(host: string, port: number): boolean;
  /** Whether a connection to this address is wanted although it may not be a public one. */
  listsAddress(address: string, port: number): boolean;
}

interface Entry {
  readonly matches: (host: string) => boolean;
  readonly port: number | undefined;
  readonly isAddress: boolean;
}

/**
 * Reads entries such as `api.example.com`, `*.example.com` (its subdomains), `example.com:8443`, `10.0.0.5`,
 * `10.0.0.0/8`, `[fd00::1]:8080` and `localhost:3000`. Without a port every port is meant. A name covers public
 * addresses only: where it leads to a private one, that is listed beside it. Throws `InvalidRequestError` for an entry
 * that can match nothing.
 */
export function createAllowList(entries: readonly string[]): AllowList {
  const parsed = entries.flatMap(readEntry);
  const some = (host: string, port: number, addressesOnly: boolean) =>
    parsed.some(
      (entry) =>
        (entry.port === undefined || entry.port === port) &&
        (entry.isAddress || !addressesOnly) &&
        entry.matches(host),
    );
  return {
    lists: (host, port) => some(host, port, false),
    listsAddress: (address, port) => isIP(address) !== 0 && some(normalizeAddress(address), port, true),
  };
}

function readEntry(entry: string): Entry[] {
  const invalid = () =>
    new InvalidRequestError(
      `'${entry}' is no host: write a name, *.name, an address or a range, and :port where only one is meant.`,
    );
  const [, bracketed, rest = ''] = /^\[([^\]]+)\](.*)$/.exec(entry) ?? [];
  const plain = bracketed ?? (isIP(entry) === 6 || /:.*\//.test(entry) ? entry : entry.replace(/:\d+$/, ''));
  const port = readPort(bracketed === undefined ? entry.slice(plain.length) : rest);
  if (port === 'invalid') throw invalid();
  if (plain === 'localhost') {
    return [
      { matches: (host) => host === 'localhost', port, isAddress: false },
      ...addresses(['127.0.0.1', '::1'], port),
    ];
  }
  if (isIP(plain) !== 0) return addresses([plain], port);
  if (plain.includes('/')) {
    if (!ipaddr.isValidCIDR(plain)) throw invalid();
    const range = ipaddr.parseCIDR(plain);
    return [{ matches: (host) => isWithin(host, range), port, isAddress: true }];
  }
  const wildcard = plain.startsWith('*.');
  const name = hostName(wildcard ? plain.slice(2) : plain);
  if (name === undefined) throw invalid();
  return [
    { matches: (host) => (wildcard ? host.endsWith(`.${name}`) : host === name), port, isAddress: false },
  ];
}

function addresses(listed: readonly string[], port: number | undefined): Entry[] {
  return listed.map(normalizeAddress).map((address) => ({
    matches: (host) => host === address,
    port,
    isAddress: true,
  }));
}

function isWithin(host: string, range: ReturnType<typeof ipaddr.parseCIDR>): boolean {
  if (isIP(host) === 0) return false;
  const address = ipaddr.process(host);
  return address.kind() === range[0].kind() && address.match(range);
}

function readPort(text: string): number | undefined | 'invalid' {
  if (text === '') return undefined;
  const port = Number(/^:(\d{1,5})$/.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 ? port : 'invalid';
}

/** The name as URLs spell it, in lower case and punycode; nothing for what is no name. */
function hostName(text: string): string | undefined {
  if (!/^[^\s/:?#@[\]\\*]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  const { hostname } = new URL(`http://${text}`);
  return isIP(hostname) === 0 && hostname !== '' ? hostname.replace(/\.$/, '') : undefined;
}
