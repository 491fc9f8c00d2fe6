import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { type DriverConfig, defaultCsiConfig, noAddressRules, type VCenterConfig } from './driver-config.ts';
import { describeProblem, type Problem } from './problems.ts';
import { detectFormat, type ReadDriverConfigOptions, readDriverConfig } from './read-driver-config.ts';

const read = (text: string, options: Partial<ReadDriverConfigOptions> = {}) =>
  readDriverConfig(text, { unknownKeys: 'warn', ...options });

const problemsOf = (text: string, options: Partial<ReadDriverConfigOptions> = {}): readonly string[] => {
  try {
    read(text, options);
  } catch (error) {
    if (!(error instanceof VdoError)) throw error;
    expect(error.code).toBe('ConfigInvalid');
    return (error.details['problems'] as readonly Problem[]).map(describeProblem);
  }
  return [];
};
const warningsOf = (text: string): readonly string[] => read(text).warnings.map(describeProblem);

const vcenter = (overrides: Partial<VCenterConfig> = {}): VCenterConfig => ({
  name: 'vc.example.com',
  server: 'vc.example.com',
  port: 443,
  tls: { thumbprints: [], insecure: false },
  datacenters: [],
  soapRoundtripCount: 3,
  ipFamilies: ['ipv4'],
  credentials: { kind: 'secret', namespace: 'kube-system', name: 'vcenter' },
  ...overrides,
});
const config = (overrides: Partial<DriverConfig> = {}): DriverConfig => ({
  vcenters: [vcenter()],
  labels: {},
  nodes: { internal: noAddressRules, external: noAddressRules },
  csi: defaultCsiConfig,
  ...overrides,
});

const yamlFile = `
global:
  secretName: vcenter
  secretNamespace: kube-system
  port: 8443
  datacenters: [dc-1]
  soapRoundtripCount: 5
vcenter:
  east:
    server: vc-east.example.com
    thumbprint: 5A:3C:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11
    datacenters:
      - dc-2
      - "dc, with comma"
  west:
    server: 2001:db8::5
    port: 443
    insecureFlag: true
    ipFamily: [ipv6, IPv4]
    secretName: west
    secretNamespace: other
labels:
  region: k8s-region
  zone: k8s-zone
nodes:
  internalNetworkSubnetCidr: 192.0.2.0/24, 2001:db8::/32
  externalVmNetworkName: External/Outbound Traffic
  excludeExternalNetworkSubnetCidr: 198.51.100.9/32
`;

const iniFile = `
; the same in INI
[Global]
secret-name = vcenter
Secret-Namespace = "kube-system"   # keys are not case-sensitive
port = 8443
datacenters = "dc-1"
soap-roundtrip-count = 0x5

[VirtualCenter "east"]
server = vc-east.example.com
thumbprint = 5A:3C:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11
datacenters = dc-2 , dc-3

[VirtualCenter "2001:db8::5"]
port = "443"
insecure-flag
ip-family = ipv6,ipv4
secret-name = west
secret-namespace = other

[Labels]
region = k8s-region
zone = k8s-zone

[Nodes]
internal-network-subnet-cidr = "192.0.2.0/24,2001:db8::/32"
external-vm-network-name = External/Outbound Traffic
exclude-external-network-subnet-cidr = 198.51.100.9/32
`;

const expected = (east: readonly string[], westName: string): DriverConfig =>
  config({
    vcenters: [
      vcenter({
        name: 'east',
        server: 'vc-east.example.com',
        port: 8443,
        tls: { thumbprints: ['5A:3C:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11'], insecure: false },
        datacenters: east,
        soapRoundtripCount: 5,
      }),
      vcenter({
        name: westName,
        server: '2001:db8::5',
        tls: { thumbprints: [], insecure: true },
        datacenters: ['dc-1'],
        soapRoundtripCount: 5,
        ipFamilies: ['ipv6', 'ipv4'],
        credentials: { kind: 'secret', namespace: 'other', name: 'west' },
      }),
    ],
    labels: { region: 'k8s-region', zone: 'k8s-zone' },
    nodes: {
      internal: { subnets: ['192.0.2.0/24', '2001:db8::/32'], exclude: [] },
      external: { subnets: [], network: 'External/Outbound Traffic', exclude: ['198.51.100.9/32'] },
    },
  });

describe('readDriverConfig', () => {
  it('reads YAML with the values that each vCenter inherits from global', () => {
    const { config: read1, warnings, format } = read(yamlFile);
    expect(format).toBe('yaml');
    expect(warnings).toEqual([]);
    expect(read1).toEqual(expected(['dc-2', 'dc, with comma'], 'west'));
  });

  it('reads the same from INI', () => {
    const { config: read1, warnings, format } = read(iniFile);
    expect(format).toBe('ini');
    expect(warnings).toEqual([]);
    expect(read1).toEqual(expected(['dc-2', 'dc-3'], '2001:db8::5'));
  });

  it('creates a vCenter from the global server, as in old files', () => {
    const text = '[Global]\nserver = vc.example.com\nuser = a@b\npassword = fake\ninsecure-flag = true\n';
    const { config: old, warnings } = read(text);
    expect(old.vcenters).toEqual([
      vcenter({
        tls: { thumbprints: [], insecure: true },
        credentials: { kind: 'inline', username: 'a@b', password: 'fake' },
      }),
    ]);
    expect(warnings.map(describeProblem)).toEqual([
      'line 4: global.password: the configuration file contains a password',
    ]);
  });

  it("loads the in-tree provider's file with its extra sections", () => {
    const text = `[Global]
user = "a@b"
password = "fake"
port = "443"
insecure-flag = "1"
datacenters = "dc"
vm-uuid = "x"
[VirtualCenter "vc.example.com"]
[Workspace]
server = "vc.example.com"
datacenter = "dc"
default-datastore = "ds"
resourcepool-path = "cluster/Resources"
folder = "kubernetes"
[Disk]
scsicontrollertype = pvscsi
[Network]
public-network = "VM Network"
`;
    const { config: inTree } = read(text, { unknownKeys: 'refuse' });
    expect(inTree.vcenters).toEqual([
      vcenter({
        datacenters: ['dc'],
        tls: { thumbprints: [], insecure: true },
        credentials: { kind: 'inline', username: 'a@b', password: 'fake' },
      }),
    ]);
    expect(inTree.inTree).toEqual({
      workspace: {
        server: 'vc.example.com',
        datacenter: 'dc',
        folder: 'kubernetes',
        defaultDatastore: 'ds',
        resourcePoolPath: 'cluster/Resources',
      },
      scsiControllerType: 'pvscsi',
      publicNetwork: 'VM Network',
      global: { vmUuid: 'x' },
    });
  });

  it('distinguishes two vCenters on one host by their ports', () => {
    const entry = (name: string, port: number) => `  ${name}:\n    server: vc.example.com\n    port: ${port}\n`;
    const { vcenters } = read(`vcenter:\n${entry('a', 443)}${entry('b', 8443)}`).config;
    expect(vcenters.map(({ name, server, port }) => [name, server, port])).toEqual([
      ['a', 'vc.example.com', 443],
      ['b', 'vc.example.com', 8443],
    ]);
  });

  it('warns about a mistyped key in a section of the in-tree provider', () => {
    expect(warningsOf('[VirtualCenter "vc"]\n[Workspace]\nserverr = "vc"\n')).toEqual([
      'line 3: workspace.serverr: is an unknown key and has no effect; did you mean server?',
    ]);
  });

  it('reads csi-vsphere.conf', () => {
    const text = `[Global]
cluster-id = "prod-1"
cluster-distribution = "native"
query-limit = 500
csi-auth-check-intervalinmin = 7
[NetPermissions "A"]
ips = "10.20.30.0/24"
permissions = "READ_ONLY"
rootsquash = true
[NetPermissions "B"]
[VirtualCenter "vc.example.com"]
user = "k8s@vsphere.local"
password = "fake"
datacenters = "dc"
migration-datastore-url = "ds:///vmfs/volumes/1/"
[Labels]
topology-categories = "k8s-region, k8s-zone"
[TopologyCategory "k8s-zone"]
label = "topology.kubernetes.io/zone"
[Snapshot]
global-max-snapshots-per-block-volume = 5
granular-max-snapshots-per-block-volume-vsan = 7
`;
    const { config: csi } = read(text, { driver: 'csi', unknownKeys: 'refuse' });
    expect(csi.csi).toEqual({
      ...defaultCsiConfig,
      clusterId: 'prod-1',
      clusterDistribution: 'native',
      queryLimit: 500,
      authCheckIntervalMinutes: 7,
      topologyCategories: [{ name: 'k8s-region' }, { name: 'k8s-zone', label: 'topology.kubernetes.io/zone' }],
      netPermissions: [
        { name: 'A', ips: '10.20.30.0/24', permissions: 'READ_ONLY', rootSquash: true },
        { name: 'B', ips: '*', permissions: 'READ_WRITE', rootSquash: false },
      ],
      snapshots: { maxPerVolume: 5, maxPerVolumeVsan: 7 },
    });
    expect(csi.vcenters[0]?.migrationDatastoreUrl).toBe('ds:///vmfs/volumes/1/');
  });

  it('uses the default directory if a file contains no account at all', () => {
    expect(read('vcenter: {a: {server: vc}}').config.vcenters[0]?.credentials).toEqual({
      kind: 'directory',
      path: '/etc/cloud/secrets',
    });
  });

  it('keeps texts that look like numbers or booleans', () => {
    const text = 'global: {user: yes, password: 0123}\nvcenter: {"1.10": {server: vc}}\n';
    expect(read(text).config.vcenters[0]).toMatchObject({
      name: '1.10',
      credentials: { username: 'yes', password: '0123' },
    });
  });

  it('follows anchors and merge keys', () => {
    const text = 'x: &x {port: 8443}\nvcenter:\n  a: {<<: *x, server: vc}\n';
    expect(read(text).config.vcenters[0]?.port).toBe(8443);
  });

  it('survives a file that grows enormously through aliases', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) =>
        `l${i}: &l${i} [${Array(10)
          .fill(i ? `*l${i - 1}` : 'x')
          .join(',')}]`,
    );
    expect(
      problemsOf(levels.join('\n')).some((problem) => problem.includes('aliases') || problem.includes('YAML')),
    ).toBe(true);
  });
});

describe('problems', () => {
  it('are all reported at once, each with its line and the edit', () => {
    const text = `global:
  port: 99999
  insecureFlag: maybe
vcenter:
  a:
    server: https://vc.example.com/sdk
    thumbprint: 12:34
    ipFamily: [ipv5]
    secretName: vcenter
nodes:
  internalNetworkSubnetCidr: 10.0.0.0/33
csi:
  netPermissions:
    - permissions: READWRITE
`;
    expect(problemsOf(text)).toEqual([
      'line 2: global.port: "99999" is not a whole number from 1 to 65535',
      'line 3: global.insecureFlag: "maybe" is neither true nor false',
      'line 6: vcenter.a.server: "https://vc.example.com/sdk" is neither a host name nor an IP address',
      'line 7: vcenter.a.thumbprint: "12:34" is not a thumbprint of 40 (SHA-1) or 64 (SHA-256) hexadecimal digits',
      'line 8: vcenter.a.ipFamily: "ipv5" is not an IP family, expected ipv4 or ipv6',
      'line 9: vcenter.a.secretName: is set without secretNamespace',
      'line 11: nodes.internalNetworkSubnetCidr: "10.0.0.0/33" is not a network in CIDR notation such as 192.0.2.0/24',
      'line 14: csi.netPermissions[0].permissions: "READWRITE" is not one of READ_WRITE, READ_ONLY, NO_ACCESS',
    ]);
  });

  const unknown: readonly [string, string, string][] = [
    [
      'a mistyped key',
      'vcenter:\n  a: {server: vc, thumbprnt: x}\n',
      'line 2: vcenter.a.thumbprnt: is an unknown key and has no effect; did you mean thumbprint?',
    ],
    [
      'an INI key in YAML',
      'vcenter:\n  a: {server: vc, insecure-flag: true}\n',
      'line 2: vcenter.a.insecure-flag: is an unknown key and has no effect; did you mean insecureFlag?',
    ],
    [
      'a YAML key in INI',
      '[VirtualCenter "vc"]\ninsecureFlag = 1\n',
      'line 2: vcenter.vc.insecureFlag: is an unknown key and has no effect; did you mean insecure-flag?',
    ],
    [
      'a key like no other',
      'vcenter:\n  a: {server: vc, quux: true}\n',
      'line 2: vcenter.a.quux: is an unknown key and has no effect',
    ],
    [
      'a mistyped section',
      'vcenters: {}\nvcenter: {a: {server: vc}}\n',
      'line 1: vcenters: is an unknown key and has no effect; did you mean vcenter?',
    ],
    [
      'a mistyped INI section',
      '[VirtualCentre "a"]\n[VirtualCenter "vc"]\n',
      'line 1: [VirtualCentre]: is an unknown section and has no effect; did you mean [VirtualCenter]?',
    ],
    [
      'a key set twice',
      'vcenter:\n  a:\n    server: vc\n    server: vc2\n',
      'line 4: vcenter.a.server: is set again; it was set on line 3, and the later value is used',
    ],
  ];
  it.each(unknown)('warn a driver about %s and refuse it elsewhere', (_name, text, problem) => {
    expect(warningsOf(text)).toEqual([problem]);
    expect(problemsOf(text, { unknownKeys: 'refuse' })).toEqual([problem]);
  });

  const refused: readonly [string, string, string][] = [
    ['an empty file', '', 'vcenter: no vCenter is configured'],
    ['a vCenter without server', 'vcenter:\n  a: {port: 1}\n', 'vcenter.a.server: vCenter a has no server'],
    [
      'the same server twice',
      'vcenter:\n  a: {server: vc}\n  b: {server: VC}\n',
      'line 1: vcenter: server vc port 443 is configured more than once',
    ],
    ['half an account', 'vcenter:\n  a: {server: vc, user: x}\n', 'line 2: vcenter.a.user: is set without a password'],
    [
      'broken YAML as YAML, not as INI',
      'vcenter:\n  a: {server: vc\n',
      'line 3: YAML: Flow map in block collection must be sufficiently indented and end with a }',
    ],
    [
      'a text where keys belong',
      'vcenter: vc.example.com\n',
      'line 1: vcenter: is a single value, expected keys with values',
    ],
    ['a section without a name', '[VirtualCenter]\nserver = vc\n', 'line 1: [VirtualCenter]: has no vCenter name'],
    [
      'a broken section header',
      '[Global\n[VirtualCenter "vc"]\n',
      'line 1: section: "[Global" is not a section header',
    ],
    [
      'a key before any section',
      'user = a\n[VirtualCenter "vc"]\n',
      'line 1: user: is before the first section header',
    ],
    ['an open quote', '[VirtualCenter "vc"]\nuser = "a\n', 'line 2: user: the double quote is not closed on this line'],
  ];
  it.each(refused)('refuse %s', (_name, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it('of storage are reported only for the storage driver', () => {
    const two = 'vcenter: {a: {server: a}, b: {server: b}}\n';
    expect(problemsOf(two)).toEqual([]);
    expect(problemsOf(two, { driver: 'csi' })).toEqual([
      'csi.topologyCategories: storage on several vCenters needs topology categories, but none are set',
    ]);
    const six = `vcenter: {${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}: {server: ${name}}`).join(', ')}}\nlabels: {zone: z}\n`;
    expect(problemsOf(six, { driver: 'csi' })).toEqual(['vcenter: 6 vCenters; storage supports at most 5']);
  });

  it('report that NSX-T load balancers are not supported', () => {
    expect(warningsOf('vcenter: {a: {server: vc}}\nloadBalancer: {size: SMALL}\n')[0]).toContain('NSX-T');
  });

  it('never contain a password', () => {
    const text =
      'vcenter:\n  a: {server: vc, password: [hunter2-fake]}\n  b: {server: "unclosed, password: hunter2-fake}\n';
    expect(JSON.stringify(problemsOf(text))).not.toContain('hunter2');
  });
});

describe('detectFormat', () => {
  const cases: readonly [string, string, 'yaml' | 'ini'][] = [
    ['a section header behind comments', '\uFEFF# a\n; b\n\n  [Global]\n', 'ini'],
    ['a bare assignment', 'user = a\n', 'ini'],
    ['a YAML map', '# a\nglobal:\n', 'yaml'],
    ['a flow map', '{global: {}}', 'yaml'],
    ['an empty file', '', 'yaml'],
  ];
  it.each(cases)('recognises %s', (_name, text, format) => {
    expect(detectFormat(text)).toBe(format);
  });
});
