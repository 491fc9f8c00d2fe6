import type { KubeObject } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import { everything, renderWorld } from '../testing/rendered-worlds.ts';

interface Port {
  readonly port: number;
  readonly protocol: string;
}

/** What pods with this policy may call, at any address. */
const waysOut = (objects: readonly KubeObject[], name: string): readonly string[] => {
  const policy = objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name);
  const { egress } = (policy as unknown as { spec: { egress: readonly { readonly ports: readonly Port[] }[] } }).spec;
  // Without `to`: addresses of vCenters are names, and in some pod networks a block of addresses means only addresses outside the cluster.
  expect(egress.map((rule) => Object.keys(rule))).toEqual(egress.map(() => ['ports']));
  return egress.flatMap(({ ports }) => ports.map(({ port, protocol }) => `${protocol} ${port}`));
};

const dns = ['UDP 53', 'TCP 53', 'UDP 5353', 'TCP 5353'];
const vcenters = [
  { server: 'a.example.com', credentialsSecret: 'a', port: 8443 },
  { server: 'b.example.com', credentialsSecret: 'b' },
];

describe.each(['Native', 'Upstream'] as const)('%s pods of the pod network reach', (distribution) => {
  it.each([
    ['name servers, the API server and vCenters', {}, {}, ['TCP 443', 'TCP 6443']],
    ['vCenters at ports of their own', { vcenters }, {}, ['TCP 443', 'TCP 6443', 'TCP 8443']],
    ['an API server at a port of its own', {}, { apiServerPort: 16_443 }, ['TCP 443', 'TCP 16443']],
    [
      'a proxy',
      { advanced: { csiController: { env: { HTTPS_PROXY: 'http://proxy.example.com:3128', NO_PROXY: 'x' } } } },
      {},
      ['TCP 443', 'TCP 3128', 'TCP 6443'],
    ],
    [
      'a proxy at the port of its kind',
      { advanced: { csiController: { env: { https_proxy: 'http://proxy.example.com' } } } },
      {},
      ['TCP 80', 'TCP 443', 'TCP 6443'],
    ],
    [
      'a collector of spans',
      { advanced: { csiController: { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.monitoring:4318' } } } },
      {},
      ['TCP 443', 'TCP 4318', 'TCP 6443'],
    ],
  ])('%s, and nothing else', (_, spec, input, expected) => {
    const mirror = { images: { registry: 'mirror.example.com' } };
    const accounts = vcenters.map(({ server }) => ({ server, username: 'u', password: 'p' }));
    const objects = renderWorld(
      distribution,
      { ...mirror, ...spec },
      { ...('vcenters' in spec ? { accounts } : {}), ...input },
    );
    expect(waysOut(objects, 'vsphere-csi-controller')).toEqual([...dns, ...expected]);
  });
});

it('lets the snapshot controller reach only the API server', () => {
  const objects = renderWorld(
    'Native',
    { ...everything, vcenters: [{ server: 'a.example.com', credentialsSecret: 'vcenter', port: 8443 }] },
    {
      accounts: [{ server: 'a.example.com', username: 'u', password: 'p' }],
    },
  );
  expect(waysOut(objects, 'snapshot-controller')).toEqual([...dns, 'TCP 443', 'TCP 6443']);
});
