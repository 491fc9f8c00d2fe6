import { describe, expect, test } from 'vitest';
import { nics, vmFacts } from '../testing/vm-facts.ts';
import type { AddressHints } from './address-candidates.ts';
import { type AddressRules, type AddressSide, discoverAddresses } from './discover-addresses.ts';
import { type IpFamily, parseCidr } from './ip.ts';
import { staticAddresses } from './static-addresses.ts';

interface Setup {
  readonly families?: readonly IpFamily[];
  /** Subnets, comma-separated, as users write them. */
  readonly in?: string;
  readonly ex?: string;
  readonly inNet?: string;
  readonly exNet?: string;
  readonly notIn?: string;
  readonly notEx?: string;
  readonly nics: Readonly<Record<string, readonly string[]>>;
  readonly metadata?: string;
}
/** `in` and `ex` are the chosen addresses, in the order of families; undefined for a side that stays empty. */
type Case = readonly [name: string, setup: Setup, expected: readonly string[]];

const cidrs = (text = '') => text.split(',').flatMap((item) => (item === '' ? [] : (parseCidr(item) ?? [])));
const side = (subnets?: string, excluded?: string, networkName?: string): AddressSide => ({
  subnets: cidrs(subnets),
  excludedSubnets: cidrs(excluded),
  networkName,
});
const rulesOf = (setup: Setup): AddressRules => ({
  families: setup.families ?? ['ipv4'],
  internal: side(setup.in, setup.notIn, setup.inNet),
  external: side(setup.ex, setup.notEx, setup.exNet),
});
const noHints: AddressHints = { provided: [], static: [], current: [], shared: new Set() };
const vmOf = (setup: Setup) =>
  vmFacts({
    nics: nics(setup.nics),
    extraConfig:
      setup.metadata === undefined
        ? {}
        : {
            'guestinfo.metadata': Buffer.from(setup.metadata).toString('base64'),
            'guestinfo.metadata.encoding': 'base64',
          },
  });
const discover = (setup: Setup, hints: Partial<AddressHints> = {}) => {
  const vm = vmOf(setup);
  const fixed = staticAddresses(vm.extraConfig, { vmName: vm.name });
  return discoverAddresses(vm, rulesOf(setup), { ...noHints, static: fixed, ...hints }).map(
    ({ type, address }) => `${type === 'InternalIP' ? 'in' : 'ex'} ${address}`,
  );
};
const both = (...addresses: readonly string[]) => addresses.flatMap((address) => [`in ${address}`, `ex ${address}`]);
const dual: readonly IpFamily[] = ['ipv4', 'ipv6'];
const dual6: readonly IpFamily[] = ['ipv6', 'ipv4'];

const mixed = ['127.0.0.6', '20.30.40.50', '10.10.1.22', '10.10.1.23', '172.15.108.10', '172.15.108.11'];
const twoNetworks = {
  intern: ['127.0.0.6', '10.10.1.22', '10.10.1.23'],
  extern: ['127.0.0.7', '172.15.108.10', '172.15.108.11'],
};
const twoNetworks6 = {
  intern: ['fe80::3', 'fd00:cccc::1', 'fd00:cccc::2'],
  extern: ['fe80::2', 'fd00:bbbb::1', 'fd00:bbbb::2'],
};
const laterNics = { first: ['127.0.0.6', '169.0.1.2'], intern: ['10.10.1.22'], extern: ['172.15.108.11'] };
const splitNics = { first: ['127.0.0.6', '169.0.1.2', '10.10.1.22'], second: ['127.0.0.7', '172.15.108.11'] };
const crossed = { intern: ['22.22.22.22', '172.15.108.11'], extern: ['33.33.33.33', '10.10.1.22'] };
const dualNics = {
  first: ['127.0.0.6', '169.0.1.2'],
  second: ['10.10.1.22', 'fd00:dddd::11'],
  third: ['172.15.108.11', 'fd00:cccc::22'],
};
const manyDual = {
  intern: ['172.15.108.11', '172.15.108.12', '172.15.108.13', 'fd00:cccc::1', 'fd00:cccc::2', 'fd00:cccc::3'],
  extern: ['173.15.108.11', '173.15.108.12', '173.15.108.13', 'fd01:cccc::1', 'fd01:cccc::2', 'fd01:cccc::3'],
};
const excludeSome = {
  notIn: '172.15.108.11/32,fd00:cccc::1/128,fd00:cccc::2/128',
  notEx: '173.15.108.11/32,173.15.108.12/32,fd01:cccc::1/128',
};
const names = { inNet: 'intern', exNet: 'extern' };
const subnets = { in: '10.10.0.0/16', ex: '172.15.0.0/16' };

const byRule: readonly Case[] = [
  ['the first address in each subnet', { ...subnets, nics: { net: mixed } }, ['in 10.10.1.22', 'ex 172.15.108.10']],
  ['the first address on each network', { ...names, nics: twoNetworks }, ['in 10.10.1.22', 'ex 172.15.108.10']],
  ['the first address for both without rules', { nics: twoNetworks }, both('10.10.1.22')],
  [
    'IPv6 by subnet',
    {
      families: ['ipv6'],
      in: 'fd00:cccc::/64',
      ex: 'fd00:bbbb::/64',
      nics: { net: ['fe80::1', 'fd00:aaaa::1', 'fd00:cccc::1', 'fd00:cccc::2', 'fd00:bbbb::1'] },
    },
    ['in fd00:cccc::1', 'ex fd00:bbbb::1'],
  ],
  [
    'IPv6 by network name',
    { families: ['ipv6'], ...names, nics: twoNetworks6 },
    ['in fd00:cccc::1', 'ex fd00:bbbb::1'],
  ],
  ['IPv6 without rules', { families: ['ipv6'], nics: twoNetworks6 }, both('fd00:cccc::1')],
  ['named networks behind another NIC', { ...names, nics: laterNics }, ['in 10.10.1.22', 'ex 172.15.108.11']],
  ['subnets behind another NIC', { ...subnets, nics: laterNics }, ['in 10.10.1.22', 'ex 172.15.108.11']],
  ['subnets split across NICs', { ...subnets, nics: splitNics }, ['in 10.10.1.22', 'ex 172.15.108.11']],
  [
    'the second subnet when the first has no match',
    { in: '170.12.0.0/16,10.10.0.0/16', ex: '172.15.0.0/16', nics: laterNics },
    ['in 10.10.1.22', 'ex 172.15.108.11'],
  ],
  [
    'both families by subnets, across NICs',
    { families: dual, in: '10.10.0.0/16,fd00:cccc::/64', ex: '172.15.0.0/16,fd00:dddd::/64', nics: dualNics },
    ['in 10.10.1.22', 'ex 172.15.108.11', 'in fd00:cccc::22', 'ex fd00:dddd::11'],
  ],
  [
    'the first address of a family that no subnet holds',
    { families: dual, in: '10.10.0.0/16,fd00:ffff::/64', ex: '172.15.0.0/16,fd00:eeee::/64', nics: dualNics },
    ['in 10.10.1.22', 'ex 172.15.108.11', ...both('fd00:dddd::11')],
  ],
  [
    'one side of a family when the other subnet holds nothing',
    { families: dual, in: '10.10.0.0/16,fd00:ffff::/64', ex: '172.15.0.0/16,fd00:dddd::/64', nics: dualNics },
    ['in 10.10.1.22', 'ex 172.15.108.11', 'ex fd00:dddd::11'],
  ],
  [
    'only internal when the external subnet has no match',
    { ...subnets, nics: { first: ['127.0.0.6', '10.10.1.22'], second: ['127.0.0.7'] } },
    ['in 10.10.1.22'],
  ],
  [
    'only external when the internal subnet has no match',
    { ...subnets, nics: { first: ['127.0.0.6', '172.15.108.11'], second: ['127.0.0.7'] } },
    ['ex 172.15.108.11'],
  ],
  [
    'only external when the internal network is missing',
    { inNet: 'nowhere', exNet: 'extern', nics: twoNetworks },
    ['ex 172.15.108.10'],
  ],
  [
    'only internal when the external network is missing',
    { inNet: 'intern', exNet: 'nowhere', nics: twoNetworks },
    ['in 10.10.1.22'],
  ],
  ['only external when only its subnet is set', { ex: '172.15.0.0/16', nics: { net: mixed } }, ['ex 172.15.108.10']],
  ['only internal when only its subnet is set', { in: '10.10.0.0/16', nics: { net: mixed } }, ['in 10.10.1.22']],
  ['only external when only its network is set', { exNet: 'extern', nics: twoNetworks }, ['ex 172.15.108.10']],
  ['only internal when only its network is set', { inNet: 'intern', nics: twoNetworks }, ['in 10.10.1.22']],
  [
    'network names whatever their case',
    { inNet: 'InTeRn', exNet: 'EXTERN', nics: twoNetworks },
    ['in 10.10.1.22', 'ex 172.15.108.10'],
  ],
  [
    'a subnet for one side, a name for the other',
    { in: '10.10.0.0/16', exNet: 'second', nics: splitNics },
    ['in 10.10.1.22', 'ex 172.15.108.11'],
  ],
  ['subnets before names', { ...subnets, ...names, nics: crossed }, ['in 10.10.1.22', 'ex 172.15.108.11']],
  [
    'names when no subnet matches',
    { in: '254.10.0.0/16', ex: '253.15.0.0/16', ...names, nics: crossed },
    ['in 22.22.22.22', 'ex 33.33.33.33'],
  ],
  [
    'no device that lives in the guest only',
    {
      in: '254.10.0.0/16',
      ex: '253.15.0.0/16',
      ...names,
      nics: { 'guest:docker0': ['254.10.1.2', '253.15.2.4'], ...crossed },
    },
    ['in 22.22.22.22', 'ex 33.33.33.33'],
  ],
];

const byDefault: readonly Case[] = [
  ['nothing that is no address', { nics: { first: ['blarg', '127.0.0.6', '10.10.1.22'] } }, both('10.10.1.22')],
  ['the first NIC when the second is empty', { nics: { a: ['172.15.108.11'], b: [] } }, both('172.15.108.11')],
  ['the second NIC when the first is empty', { nics: { a: [], b: ['172.15.108.11'] } }, both('172.15.108.11')],
  [
    'the second NIC when the first has another family',
    { nics: { a: ['fd00:cccc::1'], b: ['172.15.108.11'] } },
    both('172.15.108.11'),
  ],
  [
    'the first NIC when the second has another family',
    { nics: { a: ['172.15.108.11', 'fe80:cccc::1'], b: ['fe80:cccc::2'] } },
    both('172.15.108.11'),
  ],
  [
    'IPv4 first when IPv4 is listed first',
    { families: dual, nics: { a: ['172.15.108.11', 'fd00:cccc::1'], b: ['fd00:cccc::2'] } },
    both('172.15.108.11', 'fd00:cccc::1'),
  ],
  [
    'IPv6 first when IPv6 is listed first',
    { families: dual6, nics: { a: ['172.15.108.11', 'fd00:cccc::1'], b: ['fd00:cccc::2'] } },
    both('fd00:cccc::1', '172.15.108.11'),
  ],
  [
    'the first usable address of a NIC that has link-local ones before it',
    { nics: { a: ['fe80::250:56ff:fe89:d2c7'], b: ['10.10.108.12', '10.10.108.10'] } },
    both('10.10.108.12'),
  ],
  [
    'nothing that is excluded, each side by its own list',
    {
      families: dual,
      notIn: '172.15.108.11/32,fd00:cccc::1/128,fd00:cccc::2/128',
      notEx: '172.15.108.11/32,172.15.108.12/32,fd00:cccc::1/128',
      nics: {
        a: ['172.15.108.11', '172.15.108.12', '172.15.108.13', 'fd00:cccc::1'],
        b: ['fd00:cccc::2', 'fd00:cccc::3'],
      },
    },
    ['in 172.15.108.12', 'ex 172.15.108.13', 'in fd00:cccc::3', 'ex fd00:cccc::2'],
  ],
  [
    'names in both families',
    {
      families: dual6,
      ...names,
      nics: { intern: ['172.15.108.11', 'fd00:cccc::1'], extern: ['fd00:cccc::2', '172.15.108.12'] },
    },
    ['in fd00:cccc::1', 'ex fd00:cccc::2', 'in 172.15.108.11', 'ex 172.15.108.12'],
  ],
  [
    'subnets without what is excluded',
    {
      families: dual,
      in: '172.15.0.0/16,fd00:cccc::0/32',
      ex: '173.15.0.0/16,fd01:cccc::0/32',
      ...excludeSome,
      nics: manyDual,
    },
    ['in 172.15.108.12', 'ex 173.15.108.13', 'in fd00:cccc::3', 'ex fd01:cccc::2'],
  ],
  [
    'named networks without what is excluded',
    { families: dual, ...names, ...excludeSome, nics: manyDual },
    ['in 172.15.108.12', 'ex 173.15.108.13', 'in fd00:cccc::3', 'ex fd01:cccc::2'],
  ],
];

const metadata = (addresses: string) => `network: { ethernets: { id0: { addresses: [${addresses}], dhcp4: false } } }`;
const encoded = (addresses: string) =>
  `network.encoding: base64\nnetwork: ${Buffer.from(`ethernets: { id0: { addresses: [${addresses}] } }`).toString('base64')}`;

const byMetadata: readonly Case[] = [
  [
    'the first reported address when metadata says DHCP',
    {
      families: ['ipv6'],
      metadata: 'network: { ethernets: { id0: { dhcp6: true } } }',
      nics: { net: ['fe80::1', 'fd01:1234::1', 'fd01:cccc::1'] },
    },
    both('fd01:1234::1'),
  ],
  [
    'a static IPv6 address before the others',
    {
      families: ['ipv6'],
      metadata: metadata('"fd01:cccc::1/128"'),
      nics: { net: ['fe80::1', 'fd01:1234::1', 'fd01:cccc::1'] },
    },
    both('fd01:cccc::1'),
  ],
  [
    'a static IPv4 address before the others',
    { metadata: metadata('192.168.1.12/24'), nics: { net: ['192.168.1.10', '192.168.1.12'] } },
    both('192.168.1.12'),
  ],
  [
    'static addresses in the order of the metadata',
    { metadata: metadata('192.168.1.12/24,192.168.1.10/24'), nics: { net: ['192.168.1.10', '192.168.1.12'] } },
    both('192.168.1.12'),
  ],
  [
    'the static address within the subnet',
    {
      in: '192.168.0.0/16',
      ex: '192.168.0.0/16',
      metadata: metadata('10.10.10.10/24,192.168.1.12/24'),
      nics: { net: ['192.168.1.10', '192.168.1.12', '10.10.10.10'] },
    },
    both('192.168.1.12'),
  ],
  [
    'no static address that is excluded',
    {
      notIn: '192.168.0.0/16',
      notEx: '192.168.0.0/16',
      metadata: metadata('192.168.1.12/24,10.10.10.10/24'),
      nics: { net: ['192.168.1.10', '192.168.1.12', '10.10.10.10'] },
    },
    both('10.10.10.10'),
  ],
  [
    'the static address on the named network',
    {
      inNet: 'VM Network',
      exNet: 'VM Network',
      metadata: metadata('192.168.1.8/24,192.168.1.12/24,10.10.10.10/24'),
      nics: { other: ['192.168.1.8'], 'VM Network': ['192.168.1.10', '192.168.1.12', '10.10.10.10'] },
    },
    both('192.168.1.12'),
  ],
  [
    'the reported address when the static ones are not on a NIC',
    { metadata: metadata('192.168.1.12/24,10.10.10.10/24'), nics: { net: ['192.168.1.8'] } },
    both('192.168.1.8'),
  ],
  [
    'a static IPv6 address written in full',
    {
      families: ['ipv6'],
      metadata: metadata('"fd01:1:2:2919:abba:0000:0000:401/128"'),
      nics: { net: ['fd00::1', 'fd01:1:2:2919:abba::401'] },
    },
    both('fd01:1:2:2919:abba::401'),
  ],
  [
    'a static address from an encoded network',
    {
      families: ['ipv6'],
      metadata: encoded('"fd01:cccc::1/128"'),
      nics: { net: ['fe80::1', 'fd01:1234::1', 'fd01:cccc::1'] },
    },
    both('fd01:cccc::1'),
  ],
];

describe('discoverAddresses', () => {
  test.each(byRule)('chooses %s', (_name, setup, expected) => {
    expect(discover(setup)).toEqual(expected);
  });
  test.each(byDefault)('chooses %s', (_name, setup, expected) => {
    expect(discover(setup)).toEqual(expected);
  });
  test.each(byMetadata)('chooses %s', (_name, setup, expected) => {
    expect(discover(setup)).toEqual(expected);
  });

  test.each<[string, Setup, string]>([
    ['both named networks are missing', { ...names, nics: { a: ['10.10.1.22'] } }, 'networks intern and extern'],
    [
      'all IPv4 addresses are excluded',
      { families: dual6, notIn: '172.0.0.0/8', notEx: '172.0.0.0/8', nics: { a: ['172.15.108.11', 'fd00:cccc::1'] } },
      'no usable IPv4 address',
    ],
    [
      'all IPv6 addresses are excluded',
      { families: dual6, notIn: 'fd00::/16', notEx: 'fd00::/16', nics: { a: ['172.15.108.11', 'fd00:cccc::1'] } },
      'no usable IPv6 address',
    ],
    ['one of two families is missing', { families: dual6, nics: { a: ['127.0.0.1', 'fd00:cccc::1'] } }, 'IPv4'],
    ['every address is local', { nics: { a: ['127.0.0.1', '169.254.1.1', '0.0.0.0'] } }, 'no usable IPv4 address'],
  ])('fails when %s', (_name, setup, message) => {
    expect(() => discover(setup)).toThrow(
      expect.objectContaining({ code: 'NodeNoAddresses', message: expect.stringContaining(message) }),
    );
  });

  test('fails on metadata that cannot be read', () => {
    expect(() => discover({ metadata: 'not-valid-yaml', nics: { a: ['192.168.1.10'] } })).toThrow(
      expect.objectContaining({ code: 'NodeMetadataInvalid' }),
    );
  });
});

describe('a VM that reports no address', () => {
  test.each([
    ['is off', { powerState: 'poweredOff' as const, toolsRunning: false }, 'the VM is poweredOff'],
    ['runs no Tools', { toolsRunning: false }, 'VMware Tools is not running'],
    ['has no network yet', {}, 'VMware Tools is running but reports no network yet'],
  ])('that %s says so', (_name, overrides, message) => {
    const vm = vmFacts({ nics: [], ...overrides });
    expect(() => discoverAddresses(vm, rulesOf({ nics: {} }), noHints)).toThrow(message);
  });
});

describe('hints', () => {
  const addresses = { nics: { net: ['10.0.0.9', '10.0.0.1', '10.0.0.2'] } };
  test.each<[string, Partial<AddressHints>, string]>([
    ['an address that several VMs report comes last', { shared: new Set(['10.0.0.9']) }, '10.0.0.1'],
    ['a shared address is better than none', { shared: new Set(['10.0.0.9', '10.0.0.1', '10.0.0.2']) }, '10.0.0.9'],
    ['the present address is kept', { current: ['10.0.0.2'] }, '10.0.0.2'],
    [
      'a present address that is shared is not kept',
      { current: ['10.0.0.9'], shared: new Set(['10.0.0.9']) },
      '10.0.0.1',
    ],
    ['a static address beats the present one', { current: ['10.0.0.9'], static: ['10.0.0.2'] }, '10.0.0.2'],
    ["kubelet's address beats all", { provided: ['10.0.0.1'], static: ['10.0.0.2'] }, '10.0.0.1'],
    ['a hint that the VM does not report is ignored', { current: ['10.0.0.77'] }, '10.0.0.9'],
  ])('%s', (_name, hints, expected) => {
    expect(discover(addresses, hints)).toEqual(both(expected));
  });
});
