import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet. Private, shared, link-local, multicast, documentation and reserved
 * ranges do not, nor those that stand for an IPv4 address behind a translator. IPv4 within IPv6 (`::ffff:…`) is judged
 * as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // What lies outside is not assigned; `::7f00:1`, an old form of 127.0.0.1, is there and has no range of its own.
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

/** One spelling for each address; the text itself where it is none. */
export function normalizeAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toString();
}

/** Whether this is an address of the machine to itself. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';
}
