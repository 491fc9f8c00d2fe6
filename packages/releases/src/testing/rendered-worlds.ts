import { type VSphereDriversSpecInput, vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { AnyObject } from '@vdo/kube/types/object';
import { loadEmbeddedMatrix } from '../embedded-matrix.ts';
import type { Distribution, DriverKind, Release } from '../matrix.ts';
import { type RenderInput, renderDrivers } from '../render/render-drivers.ts';
import { compareReleases } from '../versions.ts';

/** Releases of a driver, newest first. */
export const releasesOf = (driver: DriverKind, distribution: Distribution): readonly Release[] =>
  loadEmbeddedMatrix()
    .releases.filter((release) => release.driver === driver && release.distribution === distribution)
    .sort((left, right) => compareReleases(right.version, left.version));

export const newestOf = (driver: DriverKind, distribution: Distribution): Release => {
  const [newest] = releasesOf(driver, distribution);
  if (!newest) throw new Error(`the embedded matrix has no ${distribution} ${driver}`);
  return newest;
};

/** A server like those of the samples; its password must appear only in Secrets. */
export const fakePassword = 'obviously-fake "p: \\';

/** Renders the minimal cluster, with the given changes, with the newest releases of the distribution. */
export const renderWorld = (
  distribution: Distribution,
  spec: Partial<VSphereDriversSpecInput> = {},
  input: Partial<RenderInput> = {},
): readonly AnyObject[] => {
  const full: VSphereDriversSpecInput = {
    distribution,
    vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter', datacenters: ['dc-1'] }],
    cpi: {},
    csi: { clusterId: 'cluster-1' },
    ...(distribution === 'Upstream' ? { images: { registry: 'mirror.example.com' } } : {}),
    ...spec,
  };
  return renderDrivers({
    spec: vsphereDriversSpec.parse(full),
    releases: { cpi: newestOf('cpi', distribution), csi: newestOf('csi', distribution) },
    accounts: full.vcenters.map(({ server }) => ({ server, username: 'k8s@vsphere.local', password: fakePassword })),
    ...input,
  });
};

/** Everything that can be requested at once. */
export const everything: Partial<VSphereDriversSpecInput> = {
  vcenters: [
    { server: 'vc.example.com', credentialsSecret: 'vcenter', tls: { caBundle: 'PEM' } },
    { server: 'fd01::1', credentialsSecret: 'other', tls: { thumbprints: ['A'.repeat(40)] } },
  ],
  cpi: { replicas: 2 },
  csi: {
    replicas: 3,
    inTreeMigration: true,
    fileVolumes: { netPermissions: [{ ips: '192.0.2.0/24' }] },
    snapshots: {
      install: true,
      classes: [
        { name: 'vsphere', default: true },
        { name: 'kept', deletionPolicy: 'Retain' },
      ],
    },
    storageClasses: [{ name: 'fast', default: true, storagePolicy: 'Gold', fsType: 'xfs' }],
  },
  topology: { region: 'k8s-region', zone: 'k8s-zone' },
  images: { registry: 'mirror.example.com:5000/air', pullSecrets: ['pull'], pullPolicy: 'Always' },
  advanced: {
    logLevel: 'debug',
    kubeletPath: '/data/kubelet',
    cpi: { extraArgs: ['--v=6'], labels: { team: 'a' } },
    csiController: { env: { HTTPS_PROXY: 'http://proxy.example.com' }, resources: { limits: { memory: '512Mi' } } },
    csiNode: { tolerations: [{ operator: 'Exists' }], annotations: { note: 'x' } },
    volumes: { fullSyncInterval: '45m' },
  },
};

/** All kinds of configurations: distribution, sidecars, platform, few and many settings. */
export const worlds: readonly (readonly [string, readonly AnyObject[]])[] = (['Native', 'Upstream'] as const).flatMap(
  (distribution) =>
    [false, true].flatMap((openShift): [string, readonly AnyObject[]][] => {
      const name = `${distribution}${openShift ? ' on OpenShift' : ''}`;
      const csi = { ...everything.csi, sidecars: 'Upstream' as const };
      return [
        [`minimal ${name}`, renderWorld(distribution, {}, { openShift })],
        [`${name} with everything`, renderWorld(distribution, everything, { openShift, kubernetesVersion: 'v1.34.1' })],
        ...(distribution === 'Native'
          ? [
              [`${name} with upstream sidecars`, renderWorld('Native', { ...everything, csi }, { openShift })] as [
                string,
                readonly AnyObject[],
              ],
            ]
          : []),
      ];
    }),
);
