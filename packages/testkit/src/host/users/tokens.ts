import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HostError } from '../host-error.js';

const DAY_SECONDS = 86_400;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: DAY_SECONDS };
const claimsSchema = z.object({ username: z.string(), exp: z.number(), sub: z.literal('operation') });

/** Makes and checks bearer tokens: JSON Web Tokens, signed with a key all threads of the process have. */
export class Tokens {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The two tokens of Harper's answer; `lifetime` is that of the first, in seconds or as `90s`, `3m`, `1h`, `1d`. */
  make(
    username: string,
    lifetime: number | string = DAY_SECONDS,
  ): { operation_token: string; refresh_token: string } {
    const exp = Math.floor(Date.now() / 1000) + secondsOf(lifetime);
    return {
      operation_token: this.#sign({ username, exp, sub: 'operation' }),
      refresh_token: this.#sign({ username, exp: exp + 30 * DAY_SECONDS, sub: 'refresh' }),
    };
  }

  /** Whose operation token this is. Throws 401 for what is none, or none any more. */
  usernameOf(token: string): string {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const expected = this.#signature(`${header}.${payload}`);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalid();
    const claims = claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    if (!claims.success) throw invalid();
    if (claims.data.exp * 1000 <= Date.now()) throw new HostError(401, 'token expired');
    return claims.data.username;
  }

  #sign(claims: object): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
    return `${signed}.${this.#signature(signed).toString('base64url')}`;
  }

  #signature(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

function secondsOf(lifetime: number | string): number {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(String(lifetime)) ?? [];
  const seconds = typeof lifetime === 'number' ? lifetime : Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (!(seconds > 0)) throw new HostError(400, `expires_in '${lifetime}' is no time`);
  return seconds;
}

function invalid(): HostError {
  return new HostError(401, 'invalid token');
}
