import { readdirSync, readFileSync } from 'node:fs';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { repositoryFile } from './operator-testbed.ts';

let controlPlane: ControlPlane;
const create = (object: unknown) =>
  controlPlane.kubectl(['create', '--dry-run=server', '-o', 'json', '-f', '-'], { stdin: JSON.stringify(object) });
const drivers = (spec: Record<string, unknown> = {}, name = 'cluster') => ({
  apiVersion: 'vdo.vmware.com/v1beta1',
  kind: 'VSphereDrivers',
  metadata: { name },
  spec: {
    distribution: 'Native',
    vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }],
    cpi: {},
    csi: {},
    ...spec,
  },
});

describe('the VSphereDrivers resource on a real API server', () => {
  beforeAll(async () => {
    controlPlane = await startControlPlane({ controllers: [] });
    await controlPlane.kubectl(['apply', '--server-side', '-f', repositoryFile('deploy/crds')]);
    await controlPlane.kubectl([
      'wait',
      '--for=condition=Established',
      'crd/vspheredrivers.vdo.vmware.com',
      '--timeout=30s',
    ]);
  });
  afterAll(async () => {
    await controlPlane?.stop();
  });

  it('fills in the defaults', async () => {
    const { spec } = JSON.parse(await create(drivers()));
    expect(spec).toMatchObject({
      deletionPolicy: 'Protect',
      updates: { policy: 'Automatic', interval: '6h' },
      vcenters: [{ port: 443, tls: { insecure: false } }],
    });
  });

  it.each(readdirSync(repositoryFile('deploy/samples')))('takes deploy/samples/%s as it is', async (file) => {
    const args = ['create', '--dry-run=server', '--validate=strict', '-o', 'json'];
    const stored = JSON.parse(await controlPlane.kubectl([...args, '-f', repositoryFile(`deploy/samples/${file}`)]));
    const written = parse(readFileSync(repositoryFile(`deploy/samples/${file}`), 'utf8'));
    // Nothing that people write is pruned, and the operator reads what the API server stores.
    expect(stored.spec).toMatchObject(written.spec);
    expect(parseVSphereDrivers(stored).spec).toEqual(stored.spec);
  });

  // An API server may take away what is written as {} and is applied again: kubernetes/kubernetes#135841.
  it.each([
    ['both drivers', {}],
    ['storage alone', { cpi: undefined }],
    ['parts of storage', { csi: { snapshots: {}, fileVolumes: {} } }],
  ])('keeps %s written as {} through edits by server-side apply', async (_, spec) => {
    const applied = async (interval: string) => {
      const written = drivers({ ...spec, updates: { interval } });
      const args = ['apply', '--server-side', '-o', 'json', '-f', '-'];
      const stored = JSON.parse(await controlPlane.kubectl(args, { stdin: JSON.stringify(written) }));
      expect(stored.spec).toMatchObject(JSON.parse(JSON.stringify(written.spec)));
    };
    try {
      for (const interval of ['1h', '2h', '3h']) await applied(interval);
    } finally {
      await controlPlane.kubectl(['delete', 'vspheredrivers', '--all']);
    }
  });

  const refused: [string, unknown, RegExp][] = [
    ['another name than cluster', drivers({}, 'second'), /set metadata.name to cluster/],
    [
      'no driver at all',
      {
        ...drivers(),
        spec: { distribution: 'Native', vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }] },
      },
      /nothing to install/,
    ],
    ['no vCenter', drivers({ vcenters: [] }), /vcenters/],
    ['no distribution', drivers({ distribution: undefined }), /distribution/],
    ['an unknown distribution', drivers({ distribution: 'Other' }), /Native/],
    [
      'a server with a scheme',
      drivers({ vcenters: [{ server: 'https://vc.example.com', credentialsSecret: 'vcenter' }] }),
      /server/,
    ],
    [
      'a port out of range',
      drivers({ vcenters: [{ server: 'vc', port: 70_000, credentialsSecret: 'vcenter' }] }),
      /port/,
    ],
    [
      'two ways to trust',
      drivers({
        vcenters: [
          { server: 'vc', credentialsSecret: 'vcenter', tls: { insecure: true, thumbprints: ['A'.repeat(40)] } },
        ],
      }),
      /tls/,
    ],
    [
      'several vCenters without topology',
      drivers({ vcenters: ['a', 'b'].map((server) => ({ server, credentialsSecret: 'vcenter' })) }),
      /topology/,
    ],
    ['Pinned without versions', drivers({ updates: { policy: 'Pinned' } }), /Pinned/],
    [
      'two sources of a matrix',
      drivers({ updates: { matrix: { url: 'https://a/b', file: '/b' } } }),
      /exactly one of url/,
    ],
    ['no source of a CNI manifest', drivers({ cni: { manifest: {} } }), /exactly one of url/],
    ['a matrix address that is none', drivers({ updates: { matrix: { url: 'ftp://a' } } }), /url/],
    ['an interval that is none', drivers({ updates: { interval: 'soon' } }), /interval/],
    ['a window at no time of day', drivers({ updates: { window: { start: '25:00' } } }), /start/],
    ['a window on no day', drivers({ updates: { window: { start: '02:00', days: ['Someday'] } } }), /days/],
    ['a version that is none', drivers({ updates: { versions: { csi: 'latest' } } }), /versions\.csi/],
    ['a registry that is none', drivers({ images: { registry: 'https://mirror/' } }), /registry/],
    ['a pull policy that is none', drivers({ images: { pullPolicy: 'Sometimes' } }), /pullPolicy/],
    ['a deletion policy that is none', drivers({ deletionPolicy: 'Purge' }), /deletionPolicy/],
    [
      'two default StorageClasses',
      drivers({ csi: { storageClasses: ['a', 'b'].map((name) => ({ name, default: true })) } }),
      /default/,
    ],
    ['a file system that is none', drivers({ csi: { storageClasses: [{ name: 'a', fsType: 'zfs' }] } }), /fsType/],
    [
      'upstream sidecars beside upstream drivers',
      drivers({ distribution: 'Upstream', csi: { sidecars: 'Upstream' } }),
      /sidecars/,
    ],
    ['too many snapshots', drivers({ csi: { snapshots: { maxPerVolume: 33 } } }), /maxPerVolume/],
    ['labels of Kubernetes', drivers({ cpi: { nodeLabels: { 'node.kubernetes.io/x': 'y' } } }), /nodeLabels/],
    ['no replica', drivers({ cpi: { replicas: 0 } }), /replicas/],
    ['a network that is none', drivers({ cpi: { addresses: { internal: { subnets: ['192.0.2.0'] } } } }), /subnets/],
    ['a kubelet folder that is none', drivers({ advanced: { kubeletPath: 'kubelet' } }), /kubeletPath/],
    [
      'six topology categories',
      drivers({ topology: { categories: Array.from({ length: 6 }, (_, index) => ({ name: `c${index}` })) } }),
      /categories/,
    ],
  ];
  it.each(refused)('refuses %s', async (_, object, message) => {
    await expect(create(object)).rejects.toThrow(message);
  });
});
