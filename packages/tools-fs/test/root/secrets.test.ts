import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskValues, secretForms } from '../../src/root/mask-values.js';
import { createSecretsRule, holdsPrivateKey } from '../../src/root/secrets.js';

const armor = (kind: string) => `-----BEGIN ${kind}-----\nMIIEvQIBADAN\n-----END ${kind}-----\n`;

describe('createSecretsRule', () => {
  const rule = createSecretsRule(['private-*', 'notes']);

  it.each([
    'keys',
    'KEYS',
    'server.pem',
    'Server.PEM',
    'tls.key',
    '.env',
    '.ENV',
    '.env.production',
    'id_ed25519',
    '.git',
    'docker.env',
    '.netrc',
    '.env~',
    '.env-production',
    '.env.',
    '.env ',
    'prod.env.bak',
    'server.pem.old',
    '.npmrc',
    'store.p12',
    'ｋｅｙｓ',
    '.e\u200bnv',
    'private-plan.txt',
    'Notes',
  ])('withholds %j, also deep in a path', (name) => {
    expect(rule.deniedName([name])).toBe(name);
    expect(rule.deniedName(['app', name, 'x'])).toBe(name);
  });

  it.each(['keys.js', 'monkeys', 'key', 'pem', 'environment.ts', '.env.example', 'keyboard.ts', 'notes.md'])(
    'lets %j pass',
    (name) => {
      expect(rule.deniedName([name])).toBeUndefined();
    },
  );

  it('takes the other characters of a pattern as they are', () => {
    const odd = createSecretsRule(['a.c', 'x+(y)']);
    expect(odd.deniedName(['abc'])).toBeUndefined();
    expect(odd.deniedName(['x+(y)'])).toBe('x+(y)');
  });

  it('lets the operator withhold what is harmless otherwise', () => {
    expect(createSecretsRule(['.env.example']).deniedName(['.env.example'])).toBe('.env.example');
  });
});

describe('show', () => {
  const value = 'tr0ub4dor-and-é3';
  const rule = createSecretsRule([], () => [value]);

  it('says of any part of any text what the rules for text say, whatever stands around it', () => {
    const piece = fc.constantFrom(
      value,
      'tr0ub4dor',
      '-and-é3',
      'ä',
      '\n',
      'x',
      armor('PRIVATE KEY'),
      '-----BEGIN PRIVATE',
      ' KEY-----',
      '-END ',
    );
    const parts = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(parts, parts, parts, (before, text, after) => {
        const [head, body, tail] = [before, text, after].map((part) => Buffer.from(part));
        if (head === undefined || body === undefined || tail === undefined) throw new Error('three parts');
        const excerpt = {
          read: Buffer.concat([head, body, tail]),
          from: head.length,
          to: head.length + body.length,
        };
        const expected = holdsPrivateKey(text, before)
          ? undefined
          : maskValues(text, secretForms([value]), { before, after });
        expect(rule.show(text, excerpt)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('finds values longer than the longest form whose characters take two places', () => {
    for (const shift of ['', 'a', 'ab']) {
      const long = `${shift}${Array.from({ length: 3_000 }, (_, index) => `${index % 7}😀`).join('')}`;
      const read = Buffer.from(`x ${long} y`);
      const shown = createSecretsRule([], () => [long]).show(read.toString(), {
        read,
        from: 0,
        to: read.length,
      });
      expect(shown?.text).toBe('x [[redacted]] y');
    }
  });
});

describe('holdsPrivateKey', () => {
  it.each([
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('finds %s', (kind) => {
    expect(holdsPrivateKey(`before\n${armor(kind)}after\n`)).toBe(true);
    expect(holdsPrivateKey(JSON.stringify({ key: armor(kind) }))).toBe(true);
  });

  it('leaves certificates and public keys alone', () => {
    expect(holdsPrivateKey(armor('CERTIFICATE') + armor('PUBLIC KEY'))).toBe(false);
  });

  it('sees a key that began before the page, and none that ended there', () => {
    const key = armor('PRIVATE KEY');
    expect(holdsPrivateKey(key.slice(40), key.slice(0, 40))).toBe(true);
    expect(holdsPrivateKey('after\n', key)).toBe(false);
    expect(holdsPrivateKey(key.slice(10), key.slice(0, 10))).toBe(true);
  });

  it('takes time in line with the length of a hostile text', () => {
    expect(holdsPrivateKey('-----BEGIN '.repeat(200_000))).toBe(false);
    expect(holdsPrivateKey('-----BEGIN PRIVATE KEY-----'.repeat(50_000))).toBe(true);
  });
});
