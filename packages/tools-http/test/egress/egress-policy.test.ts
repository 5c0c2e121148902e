import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createEgressPolicy } from '../../src/egress/egress-policy.js';
import type { Egress } from '../../src/index.js';

const self = {
  app: { host: '127.0.0.1', port: 9926 },
  names: ['Node-1.example.com'],
  deniedPorts: [9925],
  peers: () => ['node-2.example.com'],
};
const policyOf = (egress: Egress) => createEgressPolicy(self, egress);
const asking = policyOf({ allow: [] });
const open = policyOf(true);
const judge = (url: string, policy = asking) => {
  const { kind, url: judged } = policy.judge(new URL(url));
  return `${kind} ${judged.href}`;
};

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
  'localhost.',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1.',
];

describe('the egress policy', () => {
  it.each([...LOOPBACK, 'node-1.example.com', 'NODE-1.EXAMPLE.COM.'])(
    'takes %s at the app port for this server, at the one address, and no other port of it',
    (host) => {
      for (const policy of [asking, open]) {
        expect(judge(`http://${host}:9926/Hello?a=1#part`, policy)).toBe(
          'self http://127.0.0.1:9926/Hello?a=1',
        );
        expect(() => judge(`http://${host}:9925/`, policy)).toThrow(
          /operations API.*use the operation tools/,
        );
        for (const url of [`http://${host}:9927/`, `http://${host}/`, `https://${host}:9926/`]) {
          expect(() => judge(url, policy)).toThrow(/of this server is not its application's/);
        }
      }
    },
  );

  it('lets other public hosts ask, unless they are listed', () => {
    expect(judge('https://example.com/a')).toBe('unlisted https://example.com/a');
    expect(judge('http://8.8.8.8/')).toBe('unlisted http://8.8.8.8/');
    expect(judge('https://example.com/a', open)).toBe('listed https://example.com/a');
    const some = policyOf({ allow: ['*.example.com', '10.0.0.5:80'] });
    expect(judge('https://a.example.com./', some)).toBe('listed https://a.example.com./');
    expect(judge('https://example.com/', some)).toBe('unlisted https://example.com/');
    expect(judge('http://10.0.0.5/', some)).toBe('listed http://10.0.0.5/');
    expect(() => judge('http://10.0.0.5:81/', some)).toThrow(/10\.0\.0\.5 is not a public address/);
  });

  it.each([
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '[::]',
    '0',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fec0::1]',
    '[fe80::1]',
    '[fd00::1]',
    '[2002:7f00:1::]',
    '[::ffff:10.0.0.1]',
  ])('contacts %s under no setting but its own', (host) => {
    for (const policy of [asking, open, policyOf({ allow: ['example.com'] })]) {
      expect(() => judge(`http://${host}:9926/`, policy)).toThrow(/is not a public address/);
    }
  });

  it('refuses the operations port wherever it is, listed or not', () => {
    const listed = policyOf({ allow: ['example.com', 'example.com:9925', '127.0.0.1', 'localhost:9925'] });
    for (const host of ['example.com', '8.8.8.8', '127.0.0.1', 'localhost']) {
      expect(() => judge(`http://${host}:9925/`, listed)).toThrow(/operations API/);
      expect(listed.allows(host, '127.0.0.1', 9925)).toBe(false);
      expect(listed.allows(host, '8.8.8.8', 9925)).toBe(false);
    }
  });

  it('refuses servers of the same cluster and addresses of this machine, unless they are listed', () => {
    expect(() => judge('https://node-2.example.com/', open)).toThrow(/same cluster/);
    expect(judge('https://node-2.example.com/', policyOf({ allow: ['node-2.example.com'] }))).toMatch(
      /^listed/,
    );
    const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    for (const { address } of own) {
      const host = address.includes(':') ? `[${address.replace(/%.*/, '')}]` : address;
      expect(() => judge(`http://${host}:8080/`, open)).toThrow(/was not contacted/);
    }
  });

  it.each([
    'file:///etc/passwd',
    'ftp://localhost:9926/',
    'ws://localhost:9926/',
    'data:text/plain,x',
    'unix:/a.sock',
  ])('refuses the scheme of %s', (url) => {
    expect(() => judge(url, open)).toThrow(/only http: and https:/);
  });

  it('refuses user and password, and does not repeat them', () => {
    for (const url of [
      'http://user:hunter2@127.0.0.1:9926/',
      'https://hunter2@example.com/',
      'http://:hunter2@[::1]/',
    ]) {
      expect(() => judge(url, open)).toThrow(/use headers/);
      expect(() => judge(url, open)).not.toThrow(/hunter2/);
    }
  });

  it('connects to this server for its address, and never for a name that leads there', () => {
    for (const policy of [asking, open]) {
      expect(policy.allows('127.0.0.1', '127.0.0.1', 9926)).toBe(true);
      expect(policy.allows('127.0.0.1', '::ffff:127.0.0.1', 9926)).toBe(true);
      for (const [host, address, port] of [
        ['evil.example', '127.0.0.1', 9926],
        ['localhost', '127.0.0.1', 9926],
        ['127.0.0.1', '127.0.0.1', 9925],
        ['127.0.0.1', '127.0.0.2', 9926],
        ['8.8.8.8', '127.0.0.1', 9926],
        ['example.com', '10.0.0.1', 443],
        ['example.com', '', 443],
        ['example.com', 'nobody', 443],
      ] as const) {
        expect(policy.allows(host, address, port)).toBe(false);
      }
      expect(policy.allows('example.com', '93.184.216.34', 443)).toBe(true);
    }
  });

  it('says what can be fetched', () => {
    expect(asking.summary).toContain("This server's own application is at http://127.0.0.1:9926.");
    expect(asking.summary).toContain('Other public hosts need an approval');
    expect(open.summary).toContain('Any public host can be fetched');
    expect(policyOf({ allow: ['a.example', '*.b.example'] }).summary).toContain('a.example, *.b.example');
    expect(createEgressPolicy({}, true).summary).toContain('no application of this server');
    for (const { summary } of [asking, open]) expect(summary).not.toContain('9925');
  });
});
