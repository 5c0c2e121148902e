import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../src/fetch/address-policy.js';

const policy = createAddressPolicy([
  { host: '127.0.0.1', port: 9926, purpose: 'app' },
  { host: '::1', port: 9930, purpose: 'app' },
  { host: '127.0.0.1', port: 9925, purpose: 'operations' },
]);
const check = (url: string) => policy.check(new URL(url)).href;

const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.0.0.2',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  'localhost',
  'LOCALHOST',
  '0.0.0.0',
  '0',
  '[::]',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1.',
];

describe('the address policy', () => {
  it.each(LOOPBACK)(
    'takes %s for this server: its app port at the one address, and no other port',
    (host) => {
      expect(check(`http://${host}:9926/Hello?a=1#part`)).toBe('http://127.0.0.1:9926/Hello?a=1');
      expect(check(`http://${host}:9930/`)).toBe('http://[::1]:9930/');
      expect(() => check(`http://${host}:9925/`)).toThrow(
        /Port 9925 is this server's operations API.*use the operation tools/,
      );
      expect(() => check(`http://${host}:9927/`)).toThrow(
        /Port 9927 of this server is not an application port/,
      );
      expect(() => check(`http://${host}/`)).toThrow(/Port 80/);
    },
  );

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1:9926/',
    'http://192.168.1.1:9926/',
    'http://100.64.0.1:9926/',
    'http://8.8.8.8:9926/',
    'http://metadata.google.internal:9926/',
    'http://example.com:9926/',
    'http://localhost.example.com:9926/',
    'http://app.localhost:9926/',
    'http://127.0.0.1.nip.io:9926/',
    'http://[::127.0.0.1]:9926/',
    'http://[64:ff9b::7f00:1]:9926/',
    'http://[fec0::1]:9926/',
    'http://[fe80::1]:9926/',
    'http://[fd00::1]:9926/',
    'http://[2002:7f00:1::]:9926/',
    'http://[::ffff:10.0.0.1]:9926/',
  ])('refuses %s, and says what can be fetched', (url) => {
    expect(() => check(url)).toThrow(/is not this server.*http:\/\/127\.0\.0\.1:9926, http:\/\/\[::1\]:9930/);
  });

  it.each([
    'https://127.0.0.1:9926/',
    'file:///etc/passwd',
    'ftp://localhost:9926/',
    'ws://localhost:9926/',
    'data:text/plain,x',
  ])('refuses the scheme of %s', (url) => {
    expect(() => check(url)).toThrow(/only 'http:'/);
  });

  it('refuses user and password, and does not repeat them', () => {
    for (const url of [
      'http://user:hunter2@127.0.0.1:9926/',
      'http://hunter2@localhost:9926/',
      'http://:hunter2@[::1]:9930/',
    ]) {
      expect(() => check(url)).toThrow(/use headers/);
      expect(() => check(url)).not.toThrow(/hunter2/);
    }
  });

  it('lets through an application port or nothing, however the URL is spelled', () => {
    const host = fc.oneof(
      fc.constantFrom(...LOOPBACK),
      fc.ipV4Extended(),
      fc.ipV6().map((address) => `[${address}]`),
      fc.domain(),
      fc.nat(0xffffffff).map(String),
    );
    const port = fc.oneof(fc.constantFrom(9925, 9926, 9930, 80), fc.integer({ min: 1, max: 65_535 }));
    const start = fc.constantFrom(
      'http://',
      'http:\\\\',
      'https://',
      'http:',
      'HTTP://u@',
      'ftp://',
      'http:///',
    );
    const rest = fc.constantFrom('/', '\\@8.8.8.8/', '/..//', '?@10.0.0.1', '#@10.0.0.1:9925', '/%2e%2e/');
    fc.assert(
      fc.property(start, host, port, rest, (scheme, name, number, tail) => {
        const text = `${scheme}${name}:${number}${tail}`;
        fc.pre(URL.canParse(text));
        let checked: string;
        try {
          checked = policy.check(new URL(text)).host;
        } catch (error) {
          return error instanceof ToolDeniedError;
        }
        return checked === '127.0.0.1:9926' || checked === '[::1]:9930';
      }),
      { numRuns: 2000 },
    );
  });

  it('allows a connection to a checked address only', () => {
    expect(policy.allows('127.0.0.1', 9926)).toBe(true);
    expect(policy.allows('::ffff:127.0.0.1', 9926)).toBe(true);
    expect(policy.allows('::1', 9930)).toBe(true);
    for (const [address, port] of [
      ['127.0.0.1', 9925],
      ['127.0.0.1', 9930],
      ['::1', 9926],
      ['127.0.0.2', 9926],
      ['10.0.0.1', 9926],
      ['localhost', 9926],
      ['', 9926],
    ] as const) {
      expect(policy.allows(address, port)).toBe(false);
    }
  });

  it('says so where there is nothing to fetch', () => {
    const empty = createAddressPolicy([]);
    expect(() => empty.check(new URL('http://127.0.0.1:9926/'))).toThrow(/has no application port/);
  });
});
