import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/egress/is-public-address.js';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '93.184.216.34', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450:4001:82f::200e'])(
    'takes %s for public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::a00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fd00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '3fff::1',
    '1::1',
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '8.8.8.8.',
    'nobody',
  ])('takes %s for none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
