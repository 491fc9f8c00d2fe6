import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { staticAddresses } from './static-addresses.ts';

const network = `version: 2
ethernets:
  id0:
    addresses: [192.168.1.12/24, "fd01:1:2:2919:abba:0000:0000:401/128"]
    dhcp4: false
  id1:
    addresses:
      - 10.0.0.1/24: { label: "eth1:0" }
`;
const indented = network.replace(/^/gm, '  ');
const inline = `instance-id: one\nnetwork:\n${indented}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const gzipped = (text: string): string => gzipSync(text).toString('base64');
const expected = ['192.168.1.12', 'fd01:1:2:2919:abba::401', '10.0.0.1'];

const guestInfo = (metadata: string, encoding?: string): Record<string, string> => ({
  'guestinfo.metadata': metadata,
  ...(encoding === undefined ? {} : { 'guestinfo.metadata.encoding': encoding }),
});
const read = (extraConfig: Record<string, string>) => staticAddresses(extraConfig, { vmName: 'node-1' });

describe('staticAddresses', () => {
  test.each([
    ['base64 metadata with an inline network', guestInfo(base64(inline), 'base64')],
    ['the short name b64', guestInfo(base64(inline), 'b64')],
    ['base64 broken into lines', guestInfo(base64(inline).replace(/.{60}/g, '$&\n'), 'base64')],
    ['gzip+base64 metadata', guestInfo(gzipped(inline), 'gzip+base64')],
    ['plain metadata', guestInfo(inline)],
    [
      'an inner network in base64',
      guestInfo(base64(`network.encoding: base64\nnetwork: ${base64(network)}\n`), 'base64'),
    ],
    [
      'an inner network in gz+b64',
      guestInfo(base64(`network.encoding: gz+b64\nnetwork: ${gzipped(network)}\n`), 'base64'),
    ],
  ])('reads %s in the order written', (_name, extraConfig) => {
    expect(read(extraConfig)).toEqual(expected);
  });

  test.each([
    ['no metadata at all', {}],
    ['DHCP only', guestInfo(base64('network:\n  ethernets:\n    id0: { dhcp6: true }\n'), 'base64')],
    ['metadata without network', guestInfo(base64('instance-id: one\n'), 'base64')],
    ['plain text that is no mapping', guestInfo('hello there')],
    ['addresses that are no IP', guestInfo('network: { ethernets: { a: { addresses: [x/24, 7] } } }')],
  ])('finds none in %s', (_name, extraConfig) => {
    expect(read(extraConfig)).toEqual([]);
  });

  test.each([
    ['text that is no mapping', guestInfo(base64('not-valid-yaml this should error'), 'base64')],
    ['broken YAML', guestInfo(base64('network: [a'), 'base64')],
    ['text that is not base64', guestInfo('%%%', 'base64')],
    ['base64 that is not gzip', guestInfo(base64(inline), 'gzip+base64')],
    ['keys in keys that would keep the controller busy for hours', guestInfo(base64('? '.repeat(1_000)), 'base64')],
    [
      'the same, packed',
      guestInfo(base64(`network.encoding: base64\nnetwork: ${base64('? '.repeat(1_000))}\n`), 'base64'),
    ],
    ['a decompression bomb', guestInfo(gzipSync(Buffer.alloc(4_000_000)).toString('base64'), 'gzip+base64')],
  ])('refuses %s and names the VM', (_name, extraConfig) => {
    expect(() => read(extraConfig)).toThrow(
      expect.objectContaining({ code: 'NodeMetadataInvalid', message: expect.stringContaining('VM node-1') }),
    );
  });
});
