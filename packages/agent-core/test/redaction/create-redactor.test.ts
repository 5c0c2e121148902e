import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTION_MARK } from '../../src/index.js';
import type { Redactor } from '../../src/index.js';

const M = REDACTION_MARK;

interface Redact {
  readonly redact: (text: string) => Promise<string>;
  readonly redactOutput: (text: string) => Promise<string>;
}

function detached(redactor: Redactor): Redact {
  return {
    redact: async (text) => redactor.redact(text),
    redactOutput: async (text) => redactor.redactOutput(text),
  };
}
const SECRET = 'p"ä\\s/w+rd?1';

function redactorOf(...values: string[]): Redact {
  return detached(createRedactor({ values: () => values }));
}

describe('known values', () => {
  const { redact } = redactorOf(SECRET);

  it.each([
    ['as they are', SECRET],
    ['escaped in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['escaped in JSON within JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['as a form writes them', new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ])('are masked %s', async (_how, form) => {
    expect(await redact(`before ${form} after`)).toBe(`before ${M} after`);
  });

  it.each(['', 'a', 'ab', 'abc', 'user:'])('are masked in base64 behind %j', async (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(`${before}${SECRET}:more`).toString(encoding);
      const masked = await redact(text);
      const left = Buffer.from(masked.replace(M, ''), encoding).toString('latin1');
      expect(masked).toContain(M);
      expect(left).not.toContain('s/w+rd');
    }
  });

  it('are masked line by line, as a listing with line numbers shows them', async () => {
    const pem = `first-line-of-the-key\nsecond-line-of-the-key\nend`;
    const listing = '1\tfirst-line-of-the-key\n2\tsecond-line-of-the-key';
    expect(await redactorOf(pem).redact(listing)).toBe(`1\t${M}\n2\t${M}`);
  });

  it('are masked whole where they overlap, and in every place', async () => {
    const { redact: both } = redactorOf('abcd-efgh', 'efgh-ijkl', 'abcd-e');
    expect(await both('abcd-efgh-ijkl, abcd-e, abcd-efgh')).toBe(`${M}, ${M}, ${M}`);
    expect(await redactorOf('xyxyxy-1xyxyxy').redact('xyxyxy-1xyxyxy-1xyxyxy')).toBe(M);
  });

  it('are left alone when they are short, everyday words, or short runs of letters or digits', async () => {
    const text = 'abc12 password harper 123456 HarperDB';
    expect(await redactorOf('', ' ', 'abc12', 'password', 'harper', '123456', 'harperdb').redact(text)).toBe(
      text,
    );
    expect(await createRedactor({ values: () => ['abc12'], minValueLength: 5 }).redact('abc12')).toBe(M);
  });

  it('are looked for anew when they are another array', async () => {
    let values: readonly string[] = [];
    const { redact: current } = detached(createRedactor({ values: () => values }));
    expect(await current('later-secret')).toBe('later-secret');
    values = ['later-secret'];
    expect(await current('later-secret')).toBe(M);
  });

  it('leave the mark alone, even when they are part of it', async () => {
    const odd = redactorOf('[[redac', 'redacted]', ']]tail-1');
    expect(await odd.redact(`${M}x`)).toBe(`${M}x`);
    expect(await odd.redact(`${M}tail-1`)).toBe(M);
  });

  it('keep JSON valid where they are numbers or begin like an escape', async () => {
    const { redact: some } = redactorOf('4711471147', 'nimble-secret');
    expect(JSON.parse(await some('{"pin": 4711471147, "list":[1,4711471147]}'))).toEqual({
      pin: M,
      list: [1, M],
    });
    expect(JSON.parse(await some(JSON.stringify({ a: 'line\nimble-secret' })))).toEqual({ a: `line${M}` });
  });

  it('do not cut a character in two', async () => {
    const half = '\ude00-secret';
    expect(await redactorOf(half).redact('x 😀-secret')).toBe(`x ${M}`);
  });
});

describe('patterns', () => {
  const { redact } = detached(createRedactor());
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

  it('mask private keys: plain, in JSON, in a listing, several, and cut off', async () => {
    expect(await redact(`a\n${privateKey}b`)).toBe(`a\n${M}\nb`);
    expect(JSON.parse(await redact(JSON.stringify({ key: privateKey, n: 1 })))).toEqual({
      key: `${M}\n`,
      n: 1,
    });
    expect(await redact(JSON.stringify([JSON.stringify({ key: privateKey })]))).toBe(
      JSON.stringify([JSON.stringify({ key: `${M}\n` })]),
    );
    const listing = privateKey
      .trimEnd()
      .split('\n')
      .map((line, index) => `${index + 1}: ${line}`)
      .join('\n');
    expect(await redact(listing)).toBe(`1: ${M}`);
    expect(await redact(privateKey + privateKey)).toBe(`${M}\n${M}\n`);
    expect(await redact(privateKey.slice(0, 300))).toBe(M);
    expect(
      await redact(
        `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\n${'QUJD'.repeat(12)}\n-----END RSA PRIVATE KEY-----`,
      ),
    ).toBe(M);
  });

  it('leave public keys, and talk about keys, alone', async () => {
    for (const text of [
      publicKey,
      'Look for -----BEGIN PRIVATE KEY----- in files',
      "key.startsWith('-----BEGIN RSA PRIVATE KEY-----')",
    ]) {
      expect(await redact(text)).toBe(text);
    }
  });

  it.each([
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U', M],
    ['Authorization: Bearer abcdefghij1234567890klm=', `Authorization: Bearer ${M}`],
    ['key sk-proj-Ab3dEf6hIj9kLm2nOp5q, next', `key ${M}, next`],
    ['sk-ant-api03-AbCdEf012345678901234567890123', M],
    ['sk_live_0123456789abcdef0123456789abcdef', M],
    ['mysql://root:hunter2@localhost/db', `mysql://root:${M}@localhost/db`],
    ['desk-top-computers-and-sk-learn-2', 'desk-top-computers-and-sk-learn-2'],
    ['bearer of the message', 'bearer of the message'],
    ['http://localhost:9926/a@b http://x:80', 'http://localhost:9926/a@b http://x:80'],
  ])('make of %j %j', async (given, expected) => {
    expect(await redact(given)).toBe(expected);
  });

  it('mask what the scan finds, and go on without it when it fails', async () => {
    const found = createRedactor({
      scan: async (text) => (text.startsWith('x') ? [{ start: 2, end: 5 }] : []),
    });
    expect(await found.redact('x abc d')).toBe(`x ${M} d`);
    const failing = createRedactor({
      values: () => ['known-secret'],
      scan: () => Promise.reject(new Error('no')),
    });
    expect(await failing.redact('known-secret')).toBe(M);
  });
});

const FRAGMENTS = [
  [
    'password',
    'token',
    '"secret"',
    'Authorization',
    'cookie',
    'api key',
    'auth',
    'value',
    'name',
    'export ',
    '--',
    'Bearer ',
  ],
  [
    ': ',
    ':',
    '=',
    ' = ',
    '"',
    "'",
    '\\"',
    '\\',
    '\n',
    '\\n',
    '{',
    '}',
    '[',
    ']',
    ',',
    ' ',
    '&',
    '://u:',
    '@h',
    'a b c d e f g h',
  ],
  [
    'hunter2',
    'known-secret-1',
    'secret-1-known',
    '12345678',
    'sk-proj-Ab3dEf6hIj9kLm2nOp5q',
    M,
    '[[redac',
    'ted]]',
  ],
  ['-----BEGIN PRIVATE KEY-----', `\n${'QUJD'.repeat(12)}\n`, '-----END PRIVATE KEY-----'],
].flat();
const fragment = fc.oneof(
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.constantFrom(...FRAGMENTS),
  fc.constantFrom(...FRAGMENTS),
);
const messy = fc.array(fragment, { maxLength: 24 }).map((parts) => parts.join(''));
const known = detached(
  createRedactor({
    values: () => ['known-secret-1', 'secret-1-known', '12345678', 'ted]]x', 'nknown-x'],
  }),
);

describe('any text', () => {
  it('is the same when it is redacted twice, and loses every known value', async () => {
    const property = fc.asyncProperty(messy, async (text) => {
      for (const redact of [known.redact, known.redactOutput]) {
        const once = await redact(text);
        expect(await redact(once)).toBe(once);
        expect(once).not.toMatch(/known-secret-1|secret-1-known/);
        expect(once.length).toBeLessThanOrEqual(text.length * (M.length + 2));
      }
    });
    await fc.assert(property, { numRuns: 1_000 });
  });

  it('stays valid JSON, also within a string of JSON', async () => {
    const key = fc.constantFrom('password', 'a', 'token', 'credentials', 'Authorization', 'cookie');
    const members = fc.dictionary(key, fc.oneof(messy, fc.jsonValue()));
    const property = fc.asyncProperty(
      fc.jsonValue({ maxDepth: 3 }),
      members,
      fc.nat(2),
      async (data, secrets, depth) => {
        let text = JSON.stringify({ data, ...secrets });
        for (let level = 0; level < depth; level += 1) text = JSON.stringify({ body: text, password: text });
        const parsed: unknown = JSON.parse(await known.redactOutput(text));
        expect(typeof parsed).toBe('object');
      },
    );
    await fc.assert(property, { numRuns: 1_000, examples: [[0, { a: "password':" }, 0]] });
  });
});

describe('a hostile text', () => {
  const hostile = [
    'password: ',
    '"password":"',
    '"credentials":[',
    'token=x ',
    'authorization: ',
    'cookie: ${a} ',
    '\\"',
    "auth: '",
    'a',
    ' ',
    '\n',
    '-----BEGIN PRIVATE KEY-----\n',
    '://a:',
    ' sk-a-a-A1',
    ' eyJa.eyJ',
    'Bearer ',
    'api key: ',
    '--password x ',
    'name: password \n ',
    M,
    'aaaa-1',
    'password a.b:1:',
  ];

  it.each(hostile)('of %j, repeated, takes time in proportion to its length', async (unit) => {
    const redactor = redactorOf('aaaaaaaaa', 'aaaa-1aaaa-1', '-----BEGIN');
    const short = unit.repeat(Math.ceil(8_192 / unit.length));
    const time = async (text: string): Promise<number> => {
      let best = Infinity;
      for (let run = 0; run < 3; run += 1) {
        const before = process.cpuUsage();
        await redactor.redactOutput(text);
        const { user, system } = process.cpuUsage(before);
        best = Math.min(best, user + system);
      }
      return best;
    };
    await time(short);
    // Eight times the text: linear costs about 8, quadratic 64. Small times are noise.
    expect(await time(short.repeat(8))).toBeLessThan(28 * Math.max(await time(short), 2_000));
  });

  it('of a megabyte is redacted, and gives other work its turn', async () => {
    let turns = 0;
    const count = setInterval(() => (turns += 1), 1);
    await redactorOf('known-secret').redactOutput('{"password": "known-secret", "n": 1}\n'.repeat(28_000));
    clearInterval(count);
    expect(turns).toBeGreaterThan(3);
  });
});
