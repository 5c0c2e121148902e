import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which hosts beside this server are listed: `true` for every public one, or a list of hosts. */
export type Egress = true | { readonly allow: readonly string[] };

/** This very server. */
export interface SelfOptions {
  /** The loopback address and port its applications answer on, over plain HTTP; absent: there is none to fetch from. */
  readonly app?: { readonly host: string; readonly port: number };
  /** Names this server is known by, beside `localhost`; they are not looked up. */
  readonly names?: readonly string[];
  /** Ports that are never contacted, on this or any other host: the operations API. */
  readonly deniedPorts?: readonly number[];
  /** Names of hosts that no list of public hosts covers, such as the other nodes of a cluster. Asked for each call. */
  readonly peers?: () => readonly string[];
  /**
   * Why a request without credentials must not be sent to `app` now: text for the model. Absent or `undefined`: it may
   * be sent.
   */
  readonly refuseAnonymous?: () => Promise<string | undefined>;
  /** A short-lived token of the agent user for `as: 'agent'`. Absent: `as` is refused. */
  readonly token?: (signal: AbortSignal) => Promise<string>;
}

/** How much one call may do. */
export interface HttpLimits {
  /** Most decoded bytes of a response body that are read (2 MiB). */
  readonly bodyBytes: number;
  /** Most bytes of a body as it is shown: a page as Markdown, a text as it is (64 KiB). */
  readonly textBytes: number;
  /** Most bytes of a request body (1 MiB). */
  readonly requestBytes: number;
  /** Milliseconds for connecting, headers, redirects and body together, where the call names none (15,000). */
  readonly timeoutMs: number;
  /** The most that a call may ask for (60,000). */
  readonly maxTimeoutMs: number;
  /** Most redirects followed (5). */
  readonly redirects: number;
}

/** Options of `httpTools`. */
export interface HttpToolsOptions {
  readonly self?: SelfOptions;
  /** Default `{ allow: [] }`: a request to any public host is disruptive, so that the gate asks first. */
  readonly egress?: Egress;
  readonly limits?: Partial<HttpLimits>;
  /** Resolves names, as `dns.lookup` does; every answer is checked. */
  readonly lookup?: LookupFunction;
}

const defaults: HttpLimits = {
  bodyBytes: 2 * 1024 * 1024,
  textBytes: 64 * 1024,
  requestBytes: 1024 * 1024,
  timeoutMs: 15_000,
  maxTimeoutMs: 60_000,
  redirects: 5,
};

/** Limits with defaults filled in. Throws `InvalidRequestError` for one that is no positive whole number. */
export function readLimits(limits: Partial<HttpLimits> = {}): HttpLimits {
  const merged = { ...defaults, ...limits };
  for (const [name, value] of Object.entries(merged)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new InvalidRequestError(`httpTools limits.${name} is ${value}: give a whole number from 1.`);
    }
  }
  return merged;
}

/** Checks the server's own ports. Throws `InvalidRequestError` for a host that is no loopback address, or no port. */
export function readSelf(self: SelfOptions = {}): SelfOptions {
  const { app, deniedPorts = [] } = self;
  if (app !== undefined && !(ipaddr.isValid(app.host) && ipaddr.process(app.host).range() === 'loopback')) {
    throw new InvalidRequestError(
      `httpTools self.app.host '${app.host}': give a loopback address, 127.0.0.1 or ::1.`,
    );
  }
  for (const port of [...deniedPorts, ...(app === undefined ? [] : [app.port])]) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new InvalidRequestError(`httpTools self: ${port} is no port; give a number from 1 to 65535.`);
    }
  }
  if (app !== undefined && deniedPorts.includes(app.port)) {
    throw new InvalidRequestError(`httpTools self: port ${app.port} is both the application's and denied.`);
  }
  return self;
}
