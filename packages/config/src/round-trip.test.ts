import { createSeededRandom, type Random } from '@vdo/base/random';
import { describe, expect, it } from 'vitest';
import { writeCsiConfIni } from './csi-conf-ini.ts';
import { type AddressRules, type CredentialsRef, type DriverConfig, defaultCsiConfig } from './driver-config.ts';
import { readDriverConfig } from './read-driver-config.ts';
import { writeVsphereConfIni } from './testing/write-vsphere-conf-ini.ts';
import { writeVsphereConfYaml } from './vsphere-conf-yaml.ts';

const nastyPasswords = [
  'plain-fake',
  ' leading and trailing ',
  'quote " and \\ backslash \\" both',
  'a#b;c',
  "single ' quote",
  'line\nbreak\r\nand\ttab',
  '$VAR $(VAR) %s `x`',
  'pä§§wörd-€-😀-\u2028-\u0085',
  '\u0001\u007f',
  '0123',
  'yes',
  'null',
  '~',
  '<<',
  '@at',
  '%percent',
  '{flow: [map]}',
  '- item',
  'a: b',
  '!tag',
  '&anchor',
  '*alias',
  '| block',
  '\\',
  '"',
  '""',
  "'",
  '[Section "x"]',
  'trailing\\',
  'x'.repeat(5000),
];

const withPassword = (password: string): DriverConfig => ({
  vcenters: [
    {
      name: 'vc.example.com',
      server: 'vc.example.com',
      port: 443,
      tls: { thumbprints: [], insecure: false },
      datacenters: [],
      soapRoundtripCount: 3,
      ipFamilies: ['ipv4'],
      credentials: { kind: 'inline', username: 'DOMAIN\\user', password },
    },
  ],
  labels: {},
  nodes: { internal: { subnets: [], exclude: [] }, external: { subnets: [], exclude: [] } },
  csi: defaultCsiConfig,
});

const readBack = (text: string): DriverConfig => readDriverConfig(text, { unknownKeys: 'refuse' }).config;

describe('a password is the same after writing and reading', () => {
  it.each(nastyPasswords)('%j', (password) => {
    const config = withPassword(password);
    expect(readBack(writeVsphereConfYaml(config))).toEqual(config);
    expect(writeVsphereConfYaml(config)).toMatch(/^[\n\x20-\x7e\u00a0-\u2027\u202a-\ufefe\uff00-\ufffd]*$/);
    expect(readBack(writeVsphereConfIni(config))).toEqual(config);
    expect(readBack(writeCsiConfIni(config))).toEqual(config);
  });
});

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random.next() * items.length)] as T;
const some = <T>(random: Random, items: readonly T[]): readonly T[] => items.filter(() => random.next() < 0.5);
const maybe = <K extends string, T>(random: Random, key: K, value: T): { readonly [key in K]?: T } =>
  random.next() < 0.5 ? ({ [key]: value } as { readonly [key in K]?: T }) : {};
const anyText = (random: Random): string => {
  const characters = [
    'a',
    'Z',
    '0',
    ' ',
    '"',
    '\\',
    '#',
    ';',
    '=',
    ':',
    '\n',
    '\t',
    '[',
    ']',
    '{',
    '-',
    'é',
    '😀',
    ',',
    "'",
    '&',
  ];
  const length = 1 + Math.floor(random.next() * 12);
  return Array.from({ length }, () => pick(random, characters)).join('');
};
const noComma = (text: string): string => text.replaceAll(',', '').trim() || 'x';

const randomConfig = (random: Random): DriverConfig => {
  const rules = (): AddressRules => ({
    subnets: some(random, ['192.0.2.0/24', '2001:db8::/32', '10.0.0.0/8']),
    ...maybe(random, 'network', noComma(anyText(random))),
    exclude: some(random, ['192.0.2.9/32', 'fe80::1/128']),
  });
  const credentials = pick<() => CredentialsRef>(random, [
    () => ({ kind: 'secret', namespace: 'kube-system', name: 'shared' }),
    () => ({ kind: 'secret', namespace: 'kube-system', name: pick(random, ['a', 'b']) }),
    () => ({ kind: 'inline', username: anyText(random), password: anyText(random) }),
  ]);
  const names = some(random, ['vc-1.example.com', 'vc-2.example.com', '192.0.2.7', '2001:db8::7']);
  return {
    vcenters: (names.length > 0 ? names : ['vc']).map((name) => ({
      name,
      server: name,
      port: 1 + Math.floor(random.next() * 65_535),
      tls: {
        thumbprints: some(random, ['AA'.repeat(20), 'BB'.repeat(32)]),
        ...maybe(random, 'caFile', '/etc/cloud/ca.pem'),
        insecure: random.next() < 0.5,
      },
      datacenters: some(random, ['dc-1', '/folder/dc 2', 'datacenter-21', 'dc "q" \\ #;']),
      soapRoundtripCount: pick(random, [3, 7]),
      ipFamilies: pick(random, [['ipv4'], ['ipv6'], ['ipv6', 'ipv4']] as const),
      credentials: credentials(),
    })),
    labels: { ...maybe(random, 'region', noComma(anyText(random))), ...maybe(random, 'zone', 'k8s-zone') },
    nodes: { internal: rules(), external: rules() },
    csi: {
      ...defaultCsiConfig,
      ...maybe(random, 'clusterId', noComma(anyText(random))),
      queryLimit: pick(random, [10_000, 77]),
      topologyCategories: some(random, [{ name: 'k8s-zone' }, { name: 'rack', label: 'topology.csi.vmware.com/rack' }]),
      netPermissions: some(random, [
        { name: 'a', ips: '*', permissions: 'READ_ONLY', rootSquash: true },
        { name: 'b', ips: '10.0.0.0/8', permissions: 'NO_ACCESS', rootSquash: false },
      ] as const),
      snapshots: { maxPerVolume: pick(random, [3, 9]), ...maybe(random, 'maxPerVolumeVsan', 4) },
      fileVolumes: random.next() < 0.5,
    },
    ...maybe(random, 'inTree', {
      workspace: { server: 'vc', folder: anyText(random), resourcePoolPath: 'cluster/Resources' },
      ...maybe(random, 'scsiControllerType', 'pvscsi'),
      ...maybe(random, 'publicNetwork', anyText(random)),
      ...maybe(random, 'global', { vmUuid: 'x', workingDir: '/dc/vm/k8s' }),
    }),
  };
};

describe('any configuration is the same after writing and reading', () => {
  it('in YAML, completely', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const config = randomConfig(createSeededRandom(seed));
      expect(readBack(writeVsphereConfYaml(config)), `seed ${seed}`).toEqual(config);
    }
  });

  it('in INI, except settings of storage only', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const config = randomConfig(createSeededRandom(seed));
      expect(readBack(writeVsphereConfIni(config)), `seed ${seed}`).toEqual({ ...config, csi: defaultCsiConfig });
    }
  });

  it('in csi-vsphere.conf, the settings of storage', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const config = randomConfig(createSeededRandom(seed));
      const account = { username: 'k8s@vsphere.local', password: `fake ${seed} "\\` };
      const back = readBack(writeCsiConfIni(config, { accountOf: () => account }));
      expect(back.csi, `seed ${seed}`).toEqual({ ...config.csi, fileVolumes: true });
      expect(
        back.vcenters.map(({ server, port, tls, datacenters, credentials }) => ({
          server,
          port,
          tls,
          datacenters,
          credentials,
        })),
      ).toEqual(
        config.vcenters.map(({ server, port, tls, datacenters }) => ({
          server,
          port,
          tls,
          datacenters,
          credentials: { kind: 'inline', ...account },
        })),
      );
    }
  });
});

describe('reading never fails with anything other than ConfigInvalid', () => {
  it('on 400 damaged files', () => {
    const random = createSeededRandom(7);
    for (let round = 0; round < 400; round += 1) {
      const config = randomConfig(random);
      const text = pick(random, [writeVsphereConfYaml, writeVsphereConfIni])(config);
      const at = Math.floor(random.next() * text.length);
      const cut = Math.floor(random.next() * 5);
      const broken =
        text.slice(0, at) + pick(random, ['', '"', '\n', '{', ': ', '\\', '[', '\t', '\u0000']) + text.slice(at + cut);
      try {
        readDriverConfig(broken, { unknownKeys: 'refuse' });
      } catch (error) {
        expect(error, broken).toMatchObject({ code: 'ConfigInvalid' });
      }
    }
  });
});

describe('a configuration that a format cannot express', () => {
  it('is refused: a comma in a datacenter name in INI', () => {
    const config = withPassword('fake');
    const vcenters = config.vcenters.map((vcenter) => ({ ...vcenter, datacenters: ['a,b'] }));
    expect(() => writeVsphereConfIni({ ...config, vcenters })).toThrow(/contains a comma/);
    expect(readBack(writeVsphereConfYaml({ ...config, vcenters })).vcenters).toEqual(vcenters);
  });

  it('is refused: two vCenters on one host in csi-vsphere.conf, which identifies them by their hosts', () => {
    const config = withPassword('fake');
    const vcenters = config.vcenters.flatMap((vcenter) => [vcenter, { ...vcenter, name: 'b', port: 8443 }]);
    expect(() => writeCsiConfIni({ ...config, vcenters })).toThrow(
      /vc\.example\.com .*several vCenters on different ports/,
    );
    for (const write of [writeVsphereConfYaml, writeVsphereConfIni])
      expect(readBack(write({ ...config, vcenters })).vcenters).toEqual(vcenters);
  });

  it('is refused: csi-vsphere.conf without the account', () => {
    const config = withPassword('fake');
    const credentials = { kind: 'secret', namespace: 'a', name: 'b' } as const;
    const vcenters = config.vcenters.map((vcenter) => ({ ...vcenter, credentials }));
    expect(() => writeCsiConfIni({ ...config, vcenters })).toThrow(/is not available/);
  });
});
