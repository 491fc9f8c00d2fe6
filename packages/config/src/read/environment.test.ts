import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { describeProblem, type Problem } from '../problems.ts';
import { readDriverConfig } from '../read-driver-config.ts';
import type { Environment } from './environment.ts';

const file = `
global:
  secretName: from-file
  secretNamespace: kube-system
  port: 8443
vcenter:
  east:
    server: east.example.com
labels:
  zone: file-zone
nodes:
  internalVmNetworkName: file-network
`;
const read = (env: Environment, text = file) => readDriverConfig(text, { unknownKeys: 'refuse', env });
const problemsOf = (env: Environment, text = file): readonly string[] => {
  try {
    read(env, text);
  } catch (error) {
    if (!(error instanceof VdoError)) throw error;
    return (error.details['problems'] as readonly Problem[]).map(describeProblem);
  }
  return [];
};

const global = 'global:\n  user: a\n  password: fake-b\nvcenter:\n  vc:\n    server: vc.example.com\n';

describe('environment variables override the file', () => {
  it.each<[string, Environment, object]>([
    ['VSPHERE_VCENTER_PORT', { VSPHERE_VCENTER_PORT: '9443' }, { port: 9443 }],
    ['VSPHERE_USER', { VSPHERE_USER: 'u' }, { credentials: { kind: 'inline', username: 'u', password: 'fake-b' } }],
    ['VSPHERE_PASSWORD', { VSPHERE_PASSWORD: 'fake-p' }, { credentials: { username: 'a', password: 'fake-p' } }],
    ['VSPHERE_DATACENTER', { VSPHERE_DATACENTER: 'dc-1, dc-2' }, { datacenters: ['dc-1', 'dc-2'] }],
    [
      'VSPHERE_SECRET_NAME and _NAMESPACE',
      { VSPHERE_SECRET_NAME: 's', VSPHERE_SECRET_NAMESPACE: 'n' },
      { credentials: { kind: 'secret', namespace: 'n', name: 's' } },
    ],
    ['VSPHERE_ROUNDTRIP_COUNT', { VSPHERE_ROUNDTRIP_COUNT: '7' }, { soapRoundtripCount: 7 }],
    ['VSPHERE_INSECURE', { VSPHERE_INSECURE: 'true' }, { tls: { insecure: true } }],
    ['VSPHERE_INSECURE=0', { VSPHERE_INSECURE: '0' }, { tls: { insecure: false } }],
    [
      'VSPHERE_SECRETS_DIRECTORY',
      { VSPHERE_SECRETS_DIRECTORY: '/run/secrets' },
      { credentials: { kind: 'directory', path: '/run/secrets' } },
    ],
    ['VSPHERE_CAFILE', { VSPHERE_CAFILE: '/ca.pem' }, { tls: { caFile: '/ca.pem' } }],
    ['VSPHERE_THUMBPRINT', { VSPHERE_THUMBPRINT: 'AA'.repeat(20) }, { tls: { thumbprints: ['AA'.repeat(20)] } }],
  ])('%s', (_, env, expected) => {
    expect(read(env, global).config.vcenters).toMatchObject([expected]);
  });

  it('in labels and nodes', () => {
    const { labels, nodes } = read({
      VSPHERE_LABEL_REGION: 'r',
      VSPHERE_LABEL_ZONE: 'z',
      VSPHERE_NODES_INTERNAL_NETWORK_SUBNET_CIDR: '10.0.0.0/8,fd00::/64',
      VSPHERE_NODES_EXTERNAL_NETWORK_SUBNET_CIDR: '192.0.2.0/24',
      VSPHERE_NODES_INTERNAL_VM_NETWORK_NAME: 'inside',
      VSPHERE_NODES_EXTERNAL_VM_NETWORK_NAME: 'outside',
    }).config;
    expect(labels).toEqual({ region: 'r', zone: 'z' });
    expect(nodes).toEqual({
      internal: { subnets: ['10.0.0.0/8', 'fd00::/64'], network: 'inside', exclude: [] },
      external: { subnets: ['192.0.2.0/24'], network: 'outside', exclude: [] },
    });
  });

  it('VSPHERE_VCENTER adds a vCenter to those of the file, or changes the one with that name', () => {
    const servers = (env: Environment) => read(env).config.vcenters.map(({ name, server }) => [name, server]);
    expect(servers({ VSPHERE_VCENTER: 'west.example.com' })).toEqual([
      ['east', 'east.example.com'],
      ['west.example.com', 'west.example.com'],
    ]);
    expect(servers({ VSPHERE_VCENTER: 'east.example.com' })).toEqual([['east', 'east.example.com']]);
  });

  it('a value may contain =', () => {
    const [vcenter] = read({ VSPHERE_PASSWORD: 'fake==x=', VSPHERE_USER: 'a=b' }, global).config.vcenters;
    expect(vcenter?.credentials).toEqual({ kind: 'inline', username: 'a=b', password: 'fake==x=' });
  });

  it('an empty variable counts as not set', () => {
    expect(read({ VSPHERE_VCENTER_PORT: '', VSPHERE_LABEL_ZONE: '' })).toEqual(read({}));
  });

  it('a password in the environment is not reported as a password in the file', () => {
    const bare = 'vcenter:\n  vc:\n    server: vc.example.com\n';
    expect(read({ VSPHERE_USER: 'u', VSPHERE_PASSWORD: 'fake-p' }, bare).warnings).toEqual([]);
  });

  it('are reported under their own names, all at once', () => {
    const env = {
      VSPHERE_INSECURE: 'maybe',
      VSPHERE_ROUNDTRIP_COUNT: 'many',
      VSPHERE_VCENTER_PORT: '70000',
      VSPHERE_NODES_INTERNAL_NETWORK_SUBNET_CIDR: '10.0.0.0/33',
      VSPHERE_THUMBPRINT: 'zz',
    };
    expect([...problemsOf(env)].sort()).toEqual([
      'VSPHERE_INSECURE: "maybe" is neither true nor false',
      'VSPHERE_NODES_INTERNAL_NETWORK_SUBNET_CIDR: "10.0.0.0/33" is not a network in CIDR notation such as 192.0.2.0/24',
      'VSPHERE_ROUNDTRIP_COUNT: "many" is not a whole number from 1 to 1000',
      'VSPHERE_THUMBPRINT: "zz" is not a thumbprint of 40 (SHA-1) or 64 (SHA-256) hexadecimal digits',
      'VSPHERE_VCENTER_PORT: "70000" is not a whole number from 1 to 65535',
    ]);
  });

  it('reports a variable that looks mistyped, and ignores those of Services', () => {
    const env = { VSPHERE_PASSWD: 'fake-x', VSPHERE_CLOUD_CONTROLLER_MANAGER_SERVICE_HOST: '10.0.0.1' };
    expect(read(env).warnings.map(describeProblem)).toEqual([
      'VSPHERE_PASSWD: is an unknown variable and has no effect; did you mean VSPHERE_PASSWORD?',
    ]);
  });
});

describe('VSPHERE_VCENTER_<id>', () => {
  it('creates a vCenter from the variables VCENTER_<id>_…, and inherits the rest', () => {
    const { vcenters } = read({
      VSPHERE_VCENTER_1: 'west',
      VCENTER_1_SERVER: 'west.example.com',
      VCENTER_1_SECRET_NAME: 'west',
      VCENTER_1_SECRET_NAMESPACE: 'n',
      VCENTER_1_DATACENTERS: 'dc-9',
      VCENTER_1_INSECURE: 'true',
      VCENTER_1_ROUNDTRIP: '5',
      VCENTER_1_IP_FAMILY: 'ipv6',
      VSPHERE_VCENTER_2: 'north.example.com',
    }).config;
    expect(vcenters.slice(1)).toMatchObject([
      {
        name: 'west',
        server: 'west.example.com',
        port: 8443,
        datacenters: ['dc-9'],
        tls: { insecure: true },
        soapRoundtripCount: 5,
        ipFamilies: ['ipv6'],
        credentials: { kind: 'secret', namespace: 'n', name: 'west' },
      },
      { name: 'north.example.com', server: 'north.example.com', credentials: { name: 'from-file' } },
    ]);
  });

  it('changes a vCenter of the file', () => {
    const { vcenters } = read({ VSPHERE_VCENTER_A: 'east', VCENTER_A_PORT: '444' }).config;
    expect(vcenters).toMatchObject([{ name: 'east', server: 'east.example.com', port: 444 }]);
  });

  it('ignores the variables that Kubernetes sets for a Service called vsphere-vcenter-1', () => {
    const env = { VSPHERE_VCENTER_1_SERVICE_HOST: '10.0.0.1', VSPHERE_VCENTER_1_PORT: 'tcp://10.0.0.1:443' };
    expect(read(env)).toEqual(read({}));
  });

  it('is reported under its own names', () => {
    expect(problemsOf({ VSPHERE_VCENTER_1: 'https://west', VCENTER_1_INSECURE: 'ja' })).toEqual([
      'VSPHERE_VCENTER_1: "https://west" is neither a host name nor an IP address',
      'VCENTER_1_INSECURE: "ja" is neither true nor false',
    ]);
  });
});
