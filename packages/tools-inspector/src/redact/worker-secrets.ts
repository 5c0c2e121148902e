import { z } from 'zod';
import { REDACTION_MARK } from '@harperfast/agent-core/contracts';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import { InspectorUnavailableError } from '../cdp/cdp-errors.js';

const SECRET_NAME = /key|token|secret|passw|pwd|credential|auth|cookie|session|private|dsn|salt/i;
const HARMLESS_NAME = /^(?:SSH_AUTH_SOCK|XDG_|DBUS_)|(?:_URL|_URI|_HOST|_PATH|_FILE|_DIR|_NAME|_USER|_ID)$/i;
const URL_PASSWORD = /:\/\/[^\s/:@]{0,128}:([^\s/@]{4,256})@/g;
const SHORTEST = 6;
/** So much of a secret's beginning or end is recognised where a text was cut in the middle of it. */
const PART = 16;

const entries = z.object({
  result: z.object({ value: z.array(z.tuple([z.string(), z.string()])) }),
});

/** Puts `REDACTION_MARK` in place of known secrets, also where only the beginning or the end of one is left. */
export type Mask = (text: string) => string;

/** It calls as little as possible that an application may have replaced. */
const ENVIRONMENT = `(() => {
  const { env } = process;
  const names = Object.keys(env);
  const entries = [];
  for (let at = 0; at < names.length; at += 1) entries[at] = [names[at], env[names[at]]];
  return entries;
})()`;

/** Reads the worker's environment, which a host may have given it alone, and masks what is secret in it. */
export async function readWorkerMask(connection: CdpConnection): Promise<Mask> {
  const answer = await connection.send('Runtime.evaluate', {
    expression: ENVIRONMENT,
    returnByValue: true,
    throwOnSideEffect: true,
    silent: true,
    disableBreaks: true,
    timeout: 1000,
  });
  const read = entries.safeParse(answer);
  if (!read.success) {
    throw new InspectorUnavailableError(
      'The environment of the worker cannot be read, so its secrets could not be masked: nothing is looked at. The application may have replaced Object.keys or process.env',
    );
  }
  return maskFor(secretsIn(read.data.result.value));
}

/** The values of variables whose names say so, and passwords within URLs. */
export function secretsIn(environment: readonly (readonly [string, string])[]): readonly string[] {
  const secrets = new Set<string>();
  for (const [name, value] of environment) {
    for (const { 1: password = '' } of value.matchAll(URL_PASSWORD)) secrets.add(password);
    if (SECRET_NAME.test(name) && !HARMLESS_NAME.test(name) && value.length >= SHORTEST) secrets.add(value);
  }
  return [...secrets];
}

export function maskFor(secrets: readonly string[]): Mask {
  const spellings = secrets.flatMap((secret) => {
    const escaped = JSON.stringify(secret).slice(1, -1);
    return escaped === secret ? [secret] : [secret, escaped];
  });
  const byLength = spellings.toSorted((a, b) => b.length - a.length);
  return (text) => byLength.reduce(maskOne, text);
}

function maskOne(text: string, secret: string): string {
  const whole = text.replaceAll(secret, REDACTION_MARK);
  if (secret.length <= PART) return whole;
  return maskPart(maskPart(whole, secret, 'head'), secret, 'tail');
}

function maskPart(text: string, secret: string, end: 'head' | 'tail'): string {
  const part = end === 'head' ? secret.slice(0, PART) : secret.slice(-PART);
  let masked = text;
  for (let at = masked.indexOf(part); at >= 0; at = masked.indexOf(part, at + REDACTION_MARK.length)) {
    let from = at;
    let to = at + PART;
    if (end === 'head') while (to < masked.length && masked[to] === secret[to - from]) to += 1;
    else while (from > 0 && masked[from - 1] === secret[secret.length - (to - from) - 1]) from -= 1;
    masked = masked.slice(0, from) + REDACTION_MARK + masked.slice(to);
    at = from;
  }
  return masked;
}
