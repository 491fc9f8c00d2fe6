import { describe, expect, test } from 'vitest';
import { cidrContains, isLocalOnly, parseCidr, parseIp } from './ip.ts';

describe('parseIp', () => {
  test.each([
    ['10.0.0.1', 'ipv4', '10.0.0.1'],
    [' 10.0.0.1 ', 'ipv4', '10.0.0.1'],
    ['FD00:0:0:0:0:0:0:1', 'ipv6', 'fd00::1'],
    ['fd01:1:2:2919:abba:0000:0000:401', 'ipv6', 'fd01:1:2:2919:abba::401'],
    ['2001:db8:0:0:1:0:0:1', 'ipv6', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', 'ipv6', '2001:db8:0:1:1:1:1:1'],
    ['1:2:3:4:5:6:7:0', 'ipv6', '1:2:3:4:5:6:7:0'],
    ['::', 'ipv6', '::'],
    ['fd00::', 'ipv6', 'fd00::'],
    ['fe80::1%eth0', 'ipv6', 'fe80::1'],
    ['::ffff:10.0.0.1', 'ipv4', '10.0.0.1'],
    ['64:ff9b::192.0.2.1', 'ipv6', '64:ff9b::c000:201'],
  ])('reads %s as %s %s', (text, family, canonical) => {
    expect(parseIp(text)).toMatchObject({ family, text: canonical });
  });

  test.each(['', 'blarg', '10.0.0', '10.0.0.256', '10.0.0.1/24', 'fd00:::1', '01.2.3.4'])('refuses %j', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });
});

describe('parseCidr', () => {
  test.each([
    ['10.10.0.0/16', '10.10.255.1', true],
    ['10.10.0.0/16', '10.11.0.1', false],
    ['172.15.108.11/8', '172.99.0.1', true],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', 'fd00::1', false],
    ['fd00:cccc::/64', 'fd00:cccc::22', true],
    ['fd00:cccc::/64', 'fd00:cccc:0:1::22', false],
    ['fd00:cccc::1/128', 'fd00:cccc:0:0:0:0:0:1', true],
  ])('%s holds %s: %s', (range, address, held) => {
    const [cidr, ip] = [parseCidr(range), parseIp(address)];
    expect(cidr && ip && cidrContains(cidr, ip)).toBe(held);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', 'fd00::/129', '10.0.0.0/8/8', 'x/8', '10.0.0.0/'])(
    'refuses %j',
    (text) => {
      expect(parseCidr(text)).toBeUndefined();
    },
  );
});

describe('isLocalOnly', () => {
  test.each([
    ['0.0.0.0', true],
    ['::', true],
    ['127.0.0.6', true],
    ['::1', true],
    ['169.254.0.1', true],
    ['fe80::1', true],
    ['fe80:cccc::1', true],
    ['224.0.0.1', true],
    ['ff02::1', true],
    ['169.0.1.2', false],
    ['192.168.1.1', false],
    ['fd00:100:64::1', false],
    ['2001:db8::1', false],
  ])('%s: %s', (address, local) => {
    const ip = parseIp(address);
    expect(ip && isLocalOnly(ip)).toBe(local);
  });
});
