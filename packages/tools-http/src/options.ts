import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import ipaddr from 'ipaddr.js';

/** A port of this very server. */
export interface SelfPort {
  /** The loopback address it listens on, `127.0.0.1` or `::1`. */
  readonly host: string;
  readonly port: number;
  /** `app` ports can be fetched; an `operations` port is refused, with a reason that names it. */
  readonly purpose: 'app' | 'operations';
}

/** How much one call may do. */
export interface HttpLimits {
  /** Most bytes of a body in one answer (256 KiB). */
  readonly bodyBytes: number;
  /** Most bytes of a request body (1 MiB). */
  readonly requestBytes: number;
  /** Milliseconds for connecting, headers and body together, where the call names none (15,000). */
  readonly timeoutMs: number;
  /** The most that a call may ask for (60,000). */
  readonly maxTimeoutMs: number;
  /** Most redirects followed (5). */
  readonly redirects: number;
}

/** Options of `httpTools`. */
export interface HttpToolsOptions {
  /** The ports of this server: those to fetch from, and those to refuse by name. */
  readonly self: readonly SelfPort[];
  readonly limits?: Partial<HttpLimits>;
}

const defaults: HttpLimits = {
  bodyBytes: 256 * 1024,
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

/** Checks the server's own ports. Throws `InvalidRequestError` for a host that is no loopback address, or a port twice. */
export function readSelf(self: readonly SelfPort[]): readonly SelfPort[] {
  const seen = new Set<number>();
  for (const { host, port } of self) {
    if (!ipaddr.isValid(host) || ipaddr.process(host).range() !== 'loopback') {
      throw new InvalidRequestError(
        `httpTools self host '${host}': give a loopback address, 127.0.0.1 or ::1.`,
      );
    }
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new InvalidRequestError(`httpTools self port ${port}: give a port number from 1 to 65535.`);
    }
    if (seen.has(port)) throw new InvalidRequestError(`httpTools self names the port ${port} twice.`);
    seen.add(port);
  }
  return self;
}
