import { generateKeyPairSync } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Logger } from '@harperfast/agent-core/contracts';
import { REDACTION_MARK } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { createHarperRedactor } from '../../src/redaction/create-harper-redactor.js';
import { createSecretlintScan } from '../../src/redaction/secretlint-scan.js';

const M = REDACTION_MARK;

function errorsOf(): { readonly errors: string[]; readonly logger: Logger } {
  const errors: string[] = [];
  const quiet = (): void => undefined;
  return {
    errors,
    logger: { debug: quiet, info: quiet, warn: quiet, error: (message) => errors.push(message) },
  };
}

/** Made up here; joined from parts, so that no scanner of repositories takes this file for a leak. */
const join = (...parts: readonly string[]): string => parts.join('');
const CREDENTIALS: readonly (readonly [string, string])[] = [
  ['a GitHub token', join('ghp', '_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx')],
  ['an Anthropic key', join('sk-ant', '-api03-', 'Ab1'.repeat(31), 'AA')],
  ['an OpenAI key', join('sk-proj', '-', 'Ab3dEf6hIj9kLm2nOp5qRs8t')],
  ['a Slack token', join('xoxb', '-123456789012-1234567890123-', 'AbCdEfGhIjKlMnOpQrStUvWx')],
  ['an npm token', join('npm', '_', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d')],
  [
    'a JSON Web Token',
    join(
      'eyJhbGciOiJIUzI1NiJ9',
      '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.',
      'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    ),
  ],
  [
    'a private key',
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trimEnd(),
  ],
];

describe('createHarperRedactor', () => {
  const { logger, errors } = errorsOf();
  const config = {
    models: { generative: { a: { apiKey: 'literal-1234-key' }, b: { apiKey: '${MY_KEY}' } } },
  };
  let tokens = ['a-token-of-the-agent-1'];
  const redactor = createHarperRedactor(() => config, logger, [() => tokens], {
    MY_KEY: 'from-environment-99',
  });
  const redact = async (text: string): Promise<string> => redactor.redact(text);
  const redactOutput = async (text: string): Promise<string> => redactor.redactOutput(text);

  it('takes what the configuration and the environment hold out of any text', async () => {
    const text = 'x literal-1234-key y from-environment-99 z MY_KEY';
    expect(await redact(text)).toBe(`x ${M} y ${M} z MY_KEY`);
    expect(await redactOutput(text)).toBe(`x ${M} y ${M} z MY_KEY`);
  });

  it("takes the agent's own tokens out, those that are made later too", async () => {
    expect(await redact('a-token-of-the-agent-1 a-token-of-the-agent-2')).toBe(`${M} a-token-of-the-agent-2`);
    tokens = ['a-token-of-the-agent-2', ...tokens];
    expect(await redact('a-token-of-the-agent-1 a-token-of-the-agent-2')).toBe(`${M} ${M}`);
    const inBase64 = Buffer.from('say a-token-of-the-agent-2 now').toString('base64');
    expect(await redact(inBase64)).not.toBe(inBase64);
  });

  it.each(CREDENTIALS)('masks %s: in text, in JSON, and in JSON within JSON', async (_what, credential) => {
    const nest = (value: string): string => JSON.stringify({ a: 1, body: JSON.stringify({ value, n: 2 }) });
    expect(await redact(`before ${credential}\nafter`)).toBe(`before ${M}\nafter`);
    expect(await redact(JSON.stringify({ value: credential, n: 1 }))).toBe(
      JSON.stringify({ value: M, n: 1 }),
    );
    expect(await redact(nest(credential))).toBe(nest(M));
  });

  it('masks AWS secret keys, in text and in JSON', async () => {
    const key = join('wJalrXUtnFEMI', '/K7MDENG/bPxRfiCYabcdefghij');
    expect(await redact(`AWS_SECRET_ACCESS_KEY=${key} rest`)).toBe(`AWS_SECRET_ACCESS_KEY=${M} rest`);
    expect(await redact(`{"aws_secret_access_key": "${key}"}`)).toBe(`{"aws_secret_access_key": "${M}"}`);
  });

  it('masks the npm token in a line of .npmrc', async () => {
    const line = `//registry.npmjs.org/:_authToken=`;
    expect(await redact(`${line}${join('npm', '_', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d')}`)).toBe(
      `${line}${M}`,
    );
  });

  it.each([
    'postgres://app:%@db:5432/x',
    'mongodb+srv://root:%@db/x',
    'mysql://a:%@h/d?x=1',
    'https://ann:%@host/',
  ])('masks the password of %s and leaves the rest to be read', async (url) => {
    expect(await redact(JSON.stringify({ url: url.replace('%', 'hunter2'), n: 1 }))).toBe(
      JSON.stringify({ url: url.replace('%', M), n: 1 }),
    );
  });

  it('masks by name in output alone', async () => {
    expect(await redactOutput('{"password":"hunter2"}')).toBe(`{"password":"${M}"}`);
    expect(await redact('{"password":"hunter2"}')).toBe('{"password":"hunter2"}');
  });

  it('is not switched off by a comment in the text', async () => {
    const [, token] = CREDENTIALS[0] ?? [];
    expect(await redact(`/* secretlint-disable */\n${token}`)).toBe(`/* secretlint-disable */\n${M}`);
  });

  it('logs nothing, and leaves nothing behind in the performance timeline', async () => {
    const marks = performance.getEntries().length;
    for (let call = 0; call < 50; call += 1) await redact(`text ${call}`);
    expect(performance.getEntries().length).toBe(marks);
    expect(errors).toEqual([]);
  });
});

describe('createSecretlintScan', () => {
  const token = join('ghp', '_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx');

  it.each([0, 57_330, 65_520, 200_000])(
    'finds a token at %i of a long text, and gives other work its turn',
    async (at) => {
      let turns = 0;
      const count = setImmediate(function again() {
        turns += 1;
        handle = setImmediate(again);
      });
      let handle = count;
      const filler = 'some words and a line\n'.repeat(12_000);
      const found = await createSecretlintScan(errorsOf().logger)(
        `${filler.slice(0, at)} ${token} ${filler.slice(at)}`,
      );
      clearImmediate(handle);
      expect(found).toContainEqual({ start: at + 1, end: at + 1 + token.length });
      expect(turns).toBeGreaterThan(2);
    },
  );

  it.each([
    ['cannot be loaded', () => Promise.reject(new Error('no such package'))],
    ['is another package', () => Promise.resolve({ rules: 'none' })],
    [
      'has a rule that throws',
      () =>
        Promise.resolve({
          rules: [
            {
              meta: { id: 'a', type: 'scanner' },
              create: () => {
                throw new Error('bad rule');
              },
            },
          ],
        }),
    ],
  ])('finds nothing and logs one error when secretlint %s', async (_why, load) => {
    const { logger, errors } = errorsOf();
    const scan = createSecretlintScan(logger, load);
    expect(await scan(token)).toEqual([]);
    expect(await scan(token)).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('secretlint failed');
  });
});
