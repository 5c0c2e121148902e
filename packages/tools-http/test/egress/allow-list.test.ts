import { describe, expect, it } from 'vitest';
import { createAllowList } from '../../src/egress/allow-list.js';

const lists = (entry: string, host: string, port = 443) => createAllowList([entry]).lists(host, port);

describe('createAllowList', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com', 'example.com'],
    ['*.example.com', 'a.b.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.0/8', '10.1.2.3'],
    ['fd00::/8', 'fd12::1'],
    ['[fd00::1]', 'fd00::1'],
    ['fd00::1', 'fd00::1'],
    ['localhost', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('%s lists %s, at any port', (entry, host) => {
    expect([lists(entry, host), lists(entry, host, 8080)]).toEqual([true, true]);
  });

  it.each([
    ['example.com:8443', 'example.com'],
    ['*.example.com:8443', 'a.example.com'],
    ['10.0.0.5:8443', '10.0.0.5'],
    ['[fd00::1]:8443', 'fd00::1'],
    ['localhost:8443', '::1'],
  ])('%s lists %s at that port only', (entry, host) => {
    expect([lists(entry, host), lists(entry, host, 8443)]).toEqual([false, true]);
  });

  it.each([
    ['example.com', 'www.example.com'],
    ['example.com', 'example.com.evil.net'],
    ['*.example.com', 'example.com'],
    ['*.example.com', 'notexample.com'],
    ['10.0.0.0/8', '11.0.0.1'],
    ['10.0.0.0/8', '::ffff:0:a00:1'],
    ['10.0.0.5', '10.0.0.50'],
  ])('%s does not list %s', (entry, host) => {
    expect(lists(entry, host)).toBe(false);
  });

  it('covers no private address by a name', () => {
    const list = createAllowList(['intranet.example.com', '10.0.0.0/8:443', '10.1.0.0/16']);
    expect(list.listsAddress('192.168.1.1', 443)).toBe(false);
    expect(list.listsAddress('10.1.0.1', 443)).toBe(true);
    expect(list.listsAddress('::ffff:10.1.0.1', 443)).toBe(true);
    expect(list.listsAddress('intranet.example.com', 443)).toBe(false);
  });

  it.each([
    '',
    '*',
    '*.',
    'http://example.com',
    'example.com/path',
    'user@example.com',
    'a b',
    '10.0.0.0/40',
    '[::1',
    'example.com:0',
    'example.com:99999',
    'example.com:',
    '2130706433',
    '0x7f.1',
    'ex*mple.com',
    '*.*.com',
  ])("says that '%s' is no host", (entry) => {
    expect(() => createAllowList([entry])).toThrow(`'${entry}' is no host`);
  });
});
