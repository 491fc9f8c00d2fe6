import { isVdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { loadEmbeddedMatrix } from './embedded-matrix.ts';
import type { Matrix, Release } from './matrix.ts';
import type { PickInput } from './pick-input.ts';
import { pickRelease } from './pick-release.ts';
import { knownLayouts } from './render/layouts.ts';

const embedded = loadEmbeddedMatrix();
const vc = (...versions: readonly string[]) =>
  versions.map((version, index) => ({ server: `vc${index + 1}`, version }));

/** The input for a cluster of the table; the rest are defaults. */
type World = Partial<Omit<PickInput, 'matrix'>> & { readonly releases?: readonly Release[] };

const answer = ({ releases, ...world }: World): readonly [string, string] => {
  const matrix: Matrix = releases ? { ...embedded, serial: 7, releases: [...releases] } : embedded;
  try {
    const { release, explanation, available } = pickRelease({
      matrix,
      driver: 'csi',
      distribution: 'Upstream',
      kubernetesVersion: 'v1.34.4',
      vcenterVersions: vc('8.0.3'),
      layouts: knownLayouts,
      policy: 'Automatic',
      ...world,
    });
    return [release.version, available ? `${explanation}; ${available.version} is available` : explanation];
  } catch (error) {
    if (!isVdoError(error)) throw error;
    return [error.code, error.message];
  }
};

const newest = 'it is the newest compatible release';
const named = 'it is set in spec.updates.versions';
const keeps = 'it is running, and the update policy is Manual';
const cpi = { driver: 'cpi' } as const;
const native = { distribution: 'Native' } as const;
const none = 'NoCompatibleRelease';

const made = (version: string, overrides: Partial<Release> = {}): Release => ({
  driver: 'csi',
  distribution: 'Upstream',
  version,
  kubernetes: { min: '1.28', max: '1.37' },
  vsphere: { min: '6.7.3', max: '9.0' },
  layout: 'upstream-csi-1',
  images: {},
  ...overrides,
});

const table: readonly [string, World, string, string][] = [
  // The upstream storage driver, by Kubernetes.
  ['1.27 is older than all but the oldest', { kubernetesVersion: 'v1.27.16' }, '3.3.1', newest],
  ['1.28', { kubernetesVersion: 'v1.28.15' }, '3.3.1', newest],
  ['1.29', { kubernetesVersion: 'v1.29.0' }, '3.3.1', newest],
  ['1.30', { kubernetesVersion: 'v1.30.14' }, '3.4.0', newest],
  ['1.31', { kubernetesVersion: 'v1.31.9' }, '3.5.1', newest],
  ['1.32', { kubernetesVersion: 'v1.32.5' }, '3.6.3', newest],
  ['1.33', { kubernetesVersion: 'v1.33.0' }, '3.7.3', newest],
  ['1.34', { kubernetesVersion: 'v1.34.4' }, '3.7.3', newest],
  ['1.35', { kubernetesVersion: 'v1.35.99' }, '3.7.3', newest],
  [
    '1.36 has none yet',
    { kubernetesVersion: 'v1.36.0' },
    none,
    '3.7.3: Kubernetes v1.36.0 is too new, it supports 1.33 to 1.35',
  ],
  [
    '1.37 has none yet',
    { kubernetesVersion: 'v1.37.1' },
    none,
    'no release of Upstream CSI is compatible with Kubernetes v1.37.1, vCenter vc1 8.0.3 (matrix 4)',
  ],
  [
    '1.24 is too old for all',
    { kubernetesVersion: 'v1.24.0' },
    none,
    '3.0.3: Kubernetes v1.24.0 is too old, it supports 1.25 to 1.27',
  ],
  // The upstream cloud controller manager follows Kubernetes minor by minor.
  ['CPI on 1.28', { ...cpi, kubernetesVersion: 'v1.28.2' }, '1.28.1', newest],
  ['CPI on 1.29', { ...cpi, kubernetesVersion: 'v1.29.2' }, '1.29.0', newest],
  ['CPI on 1.30', { ...cpi, kubernetesVersion: 'v1.30.2' }, '1.30.2', newest],
  ['CPI on 1.31', { ...cpi, kubernetesVersion: 'v1.31.2' }, '1.31.1', newest],
  ['CPI on 1.32', { ...cpi, kubernetesVersion: 'v1.32.2' }, '1.32.3', newest],
  ['CPI on 1.33', { ...cpi, kubernetesVersion: 'v1.33.2' }, '1.33.1', newest],
  ['CPI on 1.34', { ...cpi, kubernetesVersion: 'v1.34.2' }, '1.34.0', newest],
  ['CPI on 1.35', { ...cpi, kubernetesVersion: 'v1.35.2' }, '1.35.1', newest],
  ['CPI on 1.36', { ...cpi, kubernetesVersion: 'v1.36.2' }, '1.36.0', newest],
  [
    'CPI on 1.37 has a candidate only',
    { ...cpi, kubernetesVersion: 'v1.37.0' },
    none,
    '1.37.0-rc.0: it is a pre-release, which is installed only if the spec names it',
  ],
  [
    'CPI on 1.37, candidate named',
    { ...cpi, kubernetesVersion: 'v1.37.0', policy: 'Pinned', wanted: '1.37.0-rc.0' },
    '1.37.0-rc.0',
    named,
  ],
  [
    'CPI on 1.38',
    { ...cpi, kubernetesVersion: 'v1.38.0' },
    none,
    '1.36.0: Kubernetes v1.38.0 is too new, it supports 1.36 to 1.36',
  ],
  // Kubernetes was upgraded while a driver was running.
  ['CPI follows the cluster', { ...cpi, kubernetesVersion: 'v1.33.1', installed: '1.32.3' }, '1.33.1', newest],
  [
    'CPI under Manual must follow too',
    { ...cpi, kubernetesVersion: 'v1.33.1', installed: '1.32.3', policy: 'Manual' },
    '1.33.1',
    newest,
  ],
  [
    'a cluster that went back is told so',
    { ...cpi, kubernetesVersion: 'v1.32.1', installed: '1.33.1' },
    none,
    '1.32.3: it is older than the running 1.33.1',
  ],
  // Native drivers.
  ...[28, 29, 30, 31, 32, 33, 34, 35, 36, 37].map((minor): [string, World, string, string] => [
    `native on 1.${minor}, oldest to newest vCenter`,
    { ...native, kubernetesVersion: `v1.${minor}.1`, vcenterVersions: vc('6.7.3', '7.0.3', '8.0.3', '9.0.1') },
    '0.1.0',
    newest,
  ]),
  ['native CPI', { ...native, ...cpi }, '0.1.0', newest],
  [
    'native on 1.38',
    { ...native, kubernetesVersion: 'v1.38.0' },
    none,
    '0.1.0: Kubernetes v1.38.0 is too new, it supports 1.28 to 1.37',
  ],
  // Vendors.
  ['RKE2', { kubernetesVersion: 'v1.34.1+rke2r1' }, '3.7.3', newest],
  ['k3s', { kubernetesVersion: 'v1.31.4+k3s1' }, '3.5.1', newest],
  ['EKS', { kubernetesVersion: 'v1.30.8-eks-aeac579' }, '3.4.0', newest],
  ['GKE', { kubernetesVersion: 'v1.32.1-gke.1489001' }, '3.6.3', newest],
  ['OpenShift', { kubernetesVersion: 'v1.31.3+e0e7b5d' }, '3.5.1', newest],
  ['Tanzu', { kubernetesVersion: 'v1.33.1+vmware.1-fips' }, '3.7.3', newest],
  ['RKE2 CPI', { ...cpi, kubernetesVersion: 'v1.32.4+rke2r2' }, '1.32.3', newest],
  ['a candidate of Kubernetes counts as its minor', { kubernetesVersion: 'v1.35.0-rc.1' }, '3.7.3', newest],
  [
    'an alpha of an unknown minor',
    { kubernetesVersion: 'v1.36.0-alpha.2' },
    none,
    'Kubernetes v1.36.0-alpha.2 is too new',
  ],
  [
    'a version that cannot be read',
    { kubernetesVersion: 'devel' },
    none,
    'the version "devel" of Kubernetes cannot be read',
  ],
  // vCenters.
  ['6.7 Update 3', { vcenterVersions: vc('6.7.3') }, '3.7.3', newest],
  ['6.7 Update 2', { vcenterVersions: vc('6.7.2') }, none, 'vCenter vc1 6.7.2 is too old, it supports 6.7.3 to 9.0'],
  ['a patch of 7.0 Update 3', { vcenterVersions: vc('7.0.3.01700') }, '3.7.3', newest],
  ['9.0', { vcenterVersions: vc('9.0.0') }, '3.7.3', newest],
  ['9.1 is unknown', { vcenterVersions: vc('9.1.0') }, none, 'vCenter vc1 9.1.0 is too new, it supports 6.7.3 to 9.0'],
  ['one of three is too old', { vcenterVersions: vc('8.0.3', '6.0.0', '9.0.1') }, none, 'vCenter vc2 6.0.0 is too old'],
  ['govmomi’s simulator', { vcenterVersions: vc('6.5.0') }, '3.7.3', newest],
  [
    'the newest that all of them take',
    {
      releases: [made('2.0.0', { vsphere: { min: '8.0', max: '9.0' } }), made('1.0.0')],
      vcenterVersions: vc('8.0.3', '7.0.3'),
    },
    '1.0.0',
    newest,
  ],
  // Order of versions.
  ['1.9 comes before 1.10', { releases: [made('1.9.0'), made('1.10.0'), made('1.2.0')] }, '1.10.0', newest],
  [
    'Kubernetes 1.9 comes before 1.10',
    { releases: [made('1.0.0', { kubernetes: { min: '1.8', max: '1.10' } })], kubernetesVersion: 'v1.9.11' },
    '1.0.0',
    newest,
  ],
  ['a pre-release waits to be named', { releases: [made('1.0.0'), made('1.1.0-rc.1')] }, '1.0.0', newest],
  [
    'a pre-release gives way to its release',
    { releases: [made('1.1.0'), made('1.1.0-rc.1')], installed: '1.1.0-rc.1' },
    '1.1.0',
    newest,
  ],
  // Policies.
  ['pinned behind the newest', { policy: 'Pinned', wanted: '3.7.0' }, '3.7.0', `${named}; 3.7.3 is available`],
  ['pinned with v', { policy: 'Pinned', wanted: 'v3.7.3' }, '3.7.3', named],
  [
    'pinned to what does not fit',
    { policy: 'Pinned', wanted: '3.5.1' },
    none,
    '3.5.1: Kubernetes v1.34.4 is too new, it supports 1.31 to 1.33',
  ],
  ['pinned to what is not listed', { policy: 'Pinned', wanted: '4.0.0' }, none, 'it does not list that release'],
  ['manual keeps what runs', { policy: 'Manual', installed: '3.6.3' }, '3.6.3', `${keeps}; 3.7.3 is available`],
  ['manual installs the newest at first', { policy: 'Manual' }, '3.7.3', newest],
  [
    'manual goes where it is told',
    { policy: 'Manual', installed: '3.6.2', wanted: '3.6.3' },
    '3.6.3',
    `${named}; 3.7.3 is available`,
  ],
  ['manual leaves a release that no longer fits', { policy: 'Manual', installed: '3.5.1' }, '3.7.3', newest],
  // Bad releases, paths, downgrades, layouts.
  ['the newest is bad', { releases: [made('1.1.0', { bad: 'loses events' }), made('1.0.0')] }, '1.0.0', newest],
  [
    'what runs is bad',
    { releases: [made('1.1.0', { bad: 'loses events' }), made('1.0.0')], installed: '1.1.0' },
    '1.0.0',
    newest,
  ],
  ['all are bad', { releases: [made('1.0.0', { bad: 'loses events' })] }, none, '1.0.0: it is withdrawn: loses events'],
  ['automatic never goes back', { installed: '3.9.0' }, none, '3.7.3: it is older than the running 3.9.0'],
  [
    'pinned goes back to another patch release',
    { installed: '3.7.3', policy: 'Pinned', wanted: '3.7.1' },
    '3.7.1',
    `${named}; 3.7.3 is available`,
  ],
  [
    'pinned goes back over a minor where the matrix says that the older one reads what the newer wrote',
    {
      releases: [made('2.1.0', { downgradeTo: { min: '1.9.0' } }), made('1.9.0')],
      installed: '2.1.0',
      policy: 'Pinned',
      wanted: '1.9.0',
    },
    '1.9.0',
    `${named}; 2.1.0 is available`,
  ],
  [
    'pinned goes back no further than that',
    {
      releases: [made('2.1.0', { downgradeTo: { min: '2.0.0' } }), made('1.9.0')],
      installed: '2.1.0',
      policy: 'Pinned',
      wanted: '1.9.0',
    },
    none,
    '1.9.0: it is older than the running 2.1.0, whose data it may not be able to read: the compatibility matrix allows a downgrade only to 2.0.0 or later',
  ],
  [
    'pinned does not go back over a minor of which the matrix says nothing',
    { releases: [made('2.1.0'), made('2.0.0')], installed: '2.1.0', policy: 'Pinned', wanted: '2.0.0' },
    none,
    'the compatibility matrix allows a downgrade only to releases of 2.1',
  ],
  [
    'a step between',
    { releases: [made('3.0.0', { upgradeFrom: { min: '2.0.0' } }), made('2.0.0'), made('1.0.0')], installed: '1.0.0' },
    '2.0.0',
    newest,
  ],
  [
    'no step between',
    { releases: [made('3.0.0', { upgradeFrom: { min: '2.0.0' } })], installed: '1.0.0' },
    none,
    'an upgrade from 1.0.0 is not possible, only from 2.0.0 or later',
  ],
  [
    'a CPI is needed and there',
    { releases: [made('1.0.0', { requires: { cpi: true } })], hasCpi: true },
    '1.0.0',
    newest,
  ],
  [
    'a CPI is needed and missing',
    { releases: [made('1.0.0', { requires: { cpi: true } })], hasCpi: false },
    none,
    '1.0.0: it needs a cloud controller manager, and spec.cpi is not set',
  ],
  [
    'a newer release for those without CPI',
    { releases: [made('2.0.0', { requires: { cpi: true } }), made('1.0.0')], hasCpi: false },
    '1.0.0',
    newest,
  ],
  [
    'an unknown layout is passed over',
    { releases: [made('2.0.0', { layout: 'upstream-csi-9' }), made('1.0.0')] },
    '1.0.0',
    newest,
  ],
  [
    'only a newer operator could',
    { releases: [made('2.0.0', { layout: 'upstream-csi-9', minOperator: '0.9.0' })] },
    'ReleaseLayoutUnknown',
    'release 2.0.0 is compatible, but this operator does not know its manifest layout',
  ],
];

describe('the selection', () => {
  it('has a table of at least 60 cases', () => {
    expect(table.length).toBeGreaterThanOrEqual(60);
    expect(new Set(table.map(([name]) => name)).size).toBe(table.length);
  });

  it.each(table)('%s', (_name, world, version, text) => {
    const [got, why] = answer(world);
    expect(got, why).toBe(version);
    if (got === version && /^\d/.test(version)) expect(why).toBe(text);
    else expect(why).toContain(text);
  });
});

describe('the embedded matrix', () => {
  const images = embedded.releases.flatMap(({ images: own, sidecars = {} }) => [
    ...Object.values(own),
    ...Object.values(sidecars),
  ]);

  it('has a digest for each image that upstream published, and for no other', () => {
    const without = images
      .filter(({ digest }) => digest === undefined)
      .map(({ repository, tag }) => `${repository}:${tag}`);
    expect([...new Set(without)].sort()).toEqual([
      'gcr.io/cloud-provider-vsphere/csi/release/driver:v3.0.3',
      'gcr.io/cloud-provider-vsphere/csi/release/syncer:v3.0.3',
      'vdo/node:0.1.0',
      'vdo/vdo:0.1.0',
    ]);
    const nameOf = new Map<string, string>();
    for (const { repository, tag, digest } of images.filter((image) => image.digest !== undefined)) {
      const name = `${repository}:${tag}`;
      expect(nameOf.get(digest ?? '') ?? name, 'a digest stands for one image').toBe(name);
      nameOf.set(digest ?? '', name);
    }
    expect(nameOf.size).toBe(new Set(nameOf.values()).size);
  });

  it('names each sidecar that the layouts use', () => {
    for (const { distribution, driver, sidecars } of embedded.releases.filter((one) => one.driver === 'csi')) {
      expect(Object.keys(sidecars ?? {}).sort(), `${distribution} ${driver}`).toEqual([
        'csi-attacher',
        'csi-node-driver-registrar',
        'csi-provisioner',
        'csi-resizer',
        'csi-snapshotter',
        'livenessprobe',
        'snapshot-controller',
      ]);
    }
  });

  it('states for each upstream release what was not found in writing', () => {
    const silent = embedded.releases.filter(({ unverified }) => unverified === undefined);
    expect(silent).toEqual([]);
  });
});
