import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { repositoryFile } from './real-house.ts';

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
  ];
  it.each(refused)('refuses %s', async (_, object, message) => {
    await expect(create(object)).rejects.toThrow(message);
  });
});
