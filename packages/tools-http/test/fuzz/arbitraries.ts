import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Answer, SmallInternet } from './small-internet.js';

type Ports = SmallInternet['ports'];

/** Names that the resolver of a run may know. */
export const NAMES = ['listed.test', 'other.test', 'a.wild.test', 'node.test', 'peer.test', 'unknown.test'];

/** Addresses that are none of the public internet, so that no run calls it, in the spellings resolvers use. */
const ADDRESSES = [
  '127.0.0.1',
  '127.0.0.2',
  '127.0.0.3',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.168.1.1',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:3',
  '::7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fec0::1',
  'fd00::1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '::ffff:10.0.0.1',
];
const SPELLINGS = [
  '127.1',
  '2130706433',
  '2130706435',
  '0x7f.1',
  '0x7f000003',
  '0177.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1.',
  '0',
  'localhost',
  'LOCALHOST.',
  'x.localhost',
  '127.0.0.1%00',
  'listed.test.',
  'LISTED.TEST',
  'listed.test%2eevil',
];

export const methods = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE');

const lookups = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['127.0.0.2']) },
  { weight: 2, arbitrary: fc.constant(['127.0.0.1']) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...ADDRESSES), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(...ADDRESSES).map((address) => ['127.0.0.2', address]) },
);

/** What a name leads to, in turns. Names without an entry lead nowhere. */
export const dnsAnswers = fc
  .dictionary(
    fc.constantFrom(...NAMES, 'localhost', 'x.localhost', 'localhost.', 'listed.test.'),
    fc.array(lookups, { minLength: 1, maxLength: 3 }),
    { maxKeys: 6 },
  )
  .map((known) => ({ 'listed.test': [['127.0.0.2']], 'a.wild.test': [['127.0.0.2']], ...known }));

/** URLs that may be fetched as often as URLs, and what only looks like one, that must not be. */
export function urls({ app, web, secret }: Ports): fc.Arbitrary<string> {
  const good = fc.constantFrom(
    '/',
    '/a?b=c',
    `http://localhost:${app}/`,
    `http://node.test:${app}/x`,
    `http://127.1:${app}/`,
    `http://127.0.0.2:${web}/`,
    `http://listed.test:${web}/a`,
    `http://a.wild.test:${web}/`,
  );
  // A name may lead where it must not.
  const names = fc.constantFrom(app, web, secret).map((port) => `http://listed.test:${port}/`);
  return fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: 1, arbitrary: names },
    { weight: 4, arbitrary: hostileUrls([app, web, secret]) },
  );
}

function hostileUrls(ports: readonly number[]): fc.Arbitrary<string> {
  const host = fc.oneof(
    fc.constantFrom(...NAMES, ...SPELLINGS),
    fc.constantFrom(...ADDRESSES).map((address) => (address.includes(':') ? `[${address}]` : address)),
    fc.nat(0xff_ffff).map((rest) => String(127 * 0x100_0000 + rest)),
    fc
      .tuple(
        fc.constantFrom('::', '::ffff:', 'fe80::', 'fc00::', '64:ff9b::', '2002:'),
        fc.constantFrom('7f00:1', '7f00:3', 'a00:1'),
      )
      .map(
        ([prefix, tail]) =>
          `[${prefix}${tail}${prefix.endsWith('::') ? '' : prefix === '2002:' ? '::' : ''}]`,
      ),
  );
  const scheme = fc.constantFrom(
    'http://',
    'http:',
    'http:\\\\',
    'https://',
    'HTTP://u:p@',
    'http:///',
    'ftp://',
    'file://',
    '//',
    '',
  );
  const port = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ports).map((known) => `:${known}`) },
    { weight: 1, arbitrary: fc.constantFrom('', ':0', ':80', ':65536') },
  );
  const tail = fc.constantFrom(
    '/',
    '',
    '/a?b=c',
    '\\@127.0.0.3/',
    '/..//x',
    '?@10.0.0.1',
    '#@127.0.0.1',
    '/%2e%2e/',
    '@127.0.0.3/',
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(scheme, host, port, tail).map((parts) => parts.join('')) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '/',
        '/a',
        '//127.0.0.3/',
        '/\\127.0.0.3/',
        '/@127.0.0.3',
        '/../..',
        '?x',
        '',
      ),
    },
  );
}

const encodings = fc.constantFrom(
  undefined,
  'gzip',
  'deflate',
  'br',
  'gzip, br',
  'gzip, gzip, gzip',
  'zstd',
  'identity',
  'x,y',
);
const types = fc.constantFrom(
  undefined,
  'text/html',
  'text/html; charset=shift_jis',
  'text/plain; charset=utf-16le',
  'application/json',
  'application/octet-stream',
  'text/xml',
  'x',
  'text/plain; charset="',
);

/** Bodies, packed as their header says or not at all, some of them bombs. */
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ maxLength: 300 }).map((text) => Buffer.from(text)),
  fc.json({ maxDepth: 3 }).map((json) => Buffer.from(json)),
  fc
    .tuple(
      fc.constantFrom(gzipSync, deflateSync, deflateRawSync, brotliCompressSync),
      fc.constantFrom(
        'short',
        '<p>page'.repeat(100),
        '\0'.repeat(500_000),
        '['.repeat(50_000),
        '<div>'.repeat(5000),
      ),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([pack, text, times]) => {
      let packed = Buffer.from(text);
      for (let layer = 0; layer < times; layer += 1) packed = pack(packed);
      return packed;
    }),
);

/** One answer; `locations` are URLs it may redirect to. */
export function answers(locations: fc.Arbitrary<string>): fc.Arbitrary<Answer> {
  const status = fc.constantFrom(200, 200, 204, 301, 302, 303, 307, 308, 304, 500);
  return fc.record({
    status,
    // What no header can carry is percent-encoded by the servers there are.
    location: fc.option(locations.map(encodeURI), { nil: undefined, freq: 2 }),
    type: types,
    encoding: encodings,
    body: bodies,
    end: fc.oneof(
      { weight: 30, arbitrary: fc.constant('whole' as const) },
      { weight: 4, arbitrary: fc.constant('cut' as const) },
      { weight: 1, arbitrary: fc.constant('never' as const) },
    ),
  });
}
