import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import type { Matrix, Release } from './matrix.ts';
import type { PickInput } from './pick-input.ts';
import { pickRelease } from './pick-release.ts';

const release = (version: string, overrides: Partial<Release> = {}): Release => ({
  driver: 'csi',
  distribution: 'Native',
  version,
  kubernetes: { min: '1.28', max: '1.37' },
  vsphere: { min: '6.7.3', max: '9.0' },
  layout: 'native-csi-1',
  images: { vdo: { repository: 'vdo/vdo', tag: version } },
  ...overrides,
});
const matrix = (...releases: readonly Release[]): Matrix => ({
  schemaVersion: 1,
  serial: 7,
  published: '2026-08-20',
  releases: [...releases],
});
const input = (overrides: Partial<PickInput> = {}): PickInput => ({
  matrix: matrix(release('1.0.0')),
  driver: 'csi',
  distribution: 'Native',
  kubernetesVersion: 'v1.34.4',
  vcenterVersions: [{ server: 'vc.example.com', version: '8.0.3' }],
  layouts: ['native-csi-1'],
  policy: 'Automatic',
  ...overrides,
});
const vc = (...versions: readonly string[]) =>
  versions.map((version, index) => ({ server: `vc${index + 1}`, version }));
const failure = (overrides: Partial<PickInput>): VdoError => {
  try {
    pickRelease(input(overrides));
  } catch (error) {
    if (error instanceof VdoError) return error;
    throw error;
  }
  throw new Error('a release was picked');
};

describe('pickRelease selects', () => {
  const old = release('1.9.0', { kubernetes: { min: '1.28', max: '1.31' } });
  const cases: readonly [string, Partial<PickInput>, string][] = [
    [
      'the newest, by number and not by letter',
      { matrix: matrix(release('1.9.0'), release('1.10.0'), release('1.2.0')) },
      '1.10.0',
    ],
    [
      'the newest for an old Kubernetes',
      {
        matrix: matrix(old, release('1.10.0', { kubernetes: { min: '1.32', max: '1.37' } })),
        kubernetesVersion: 'v1.30.1',
      },
      '1.9.0',
    ],
    [
      'a release for Kubernetes 1.9 before 1.10',
      { matrix: matrix(release('1.0.0', { kubernetes: { min: '1.8', max: '1.10' } })), kubernetesVersion: 'v1.9.11' },
      '1.0.0',
    ],
    ['the lower end of a range', { kubernetesVersion: 'v1.28.0' }, '1.0.0'],
    ['every patch of the upper end', { kubernetesVersion: 'v1.37.99' }, '1.0.0'],
    ['every update of the upper vSphere end', { vcenterVersions: vc('9.0.9') }, '1.0.0'],
    ['6.7 Update 3', { vcenterVersions: vc('6.7.3') }, '1.0.0'],
    ['a version of four numbers', { vcenterVersions: vc('8.0.3.00100') }, '1.0.0'],
    ['RKE2', { kubernetesVersion: 'v1.30.3+rke2r1' }, '1.0.0'],
    ['k3s', { kubernetesVersion: 'v1.31.1+k3s1' }, '1.0.0'],
    ['EKS', { kubernetesVersion: 'v1.29.8-eks-a737599' }, '1.0.0'],
    ['GKE', { kubernetesVersion: 'v1.28.15-gke.1159000' }, '1.0.0'],
    ['Tanzu', { kubernetesVersion: 'v1.28.7+vmware.1-fips' }, '1.0.0'],
    ['OpenShift', { kubernetesVersion: 'v1.33.4+a1b2c3d' }, '1.0.0'],
    ['a release candidate of Kubernetes inside the range', { kubernetesVersion: 'v1.35.0-rc.1' }, '1.0.0'],
    [
      'what fits all vCenters',
      {
        matrix: matrix(release('2.0.0', { vsphere: { min: '8.0', max: '9.0' } }), release('1.0.0')),
        vcenterVersions: vc('8.0.3', '7.0.3'),
      },
      '1.0.0',
    ],
    ['a final release before its pre-release', { matrix: matrix(release('1.0.0'), release('1.1.0-rc.1')) }, '1.0.0'],
    [
      'a pre-release that is named',
      { matrix: matrix(release('1.0.0'), release('1.1.0-rc.1')), policy: 'Pinned', wanted: '1.1.0-rc.1' },
      '1.1.0-rc.1',
    ],
    [
      'a pre-release that runs, under Manual',
      { matrix: matrix(release('1.0.0'), release('1.1.0-rc.1')), policy: 'Manual', installed: '1.1.0-rc.1' },
      '1.1.0-rc.1',
    ],
    [
      'the final release when its pre-release runs',
      { matrix: matrix(release('1.1.0'), release('1.1.0-rc.1')), installed: '1.1.0-rc.1' },
      '1.1.0',
    ],
    [
      'the next best when the newest is bad',
      { matrix: matrix(release('1.1.0', { bad: 'loses events' }), release('1.0.0')) },
      '1.0.0',
    ],
    [
      'an older release when the running one is bad',
      { matrix: matrix(release('1.1.0', { bad: 'loses events' }), release('1.0.0')), installed: '1.1.0' },
      '1.0.0',
    ],
    [
      'the pinned release, though a newer one fits',
      { matrix: matrix(release('1.1.0'), release('1.0.0')), policy: 'Pinned', wanted: '1.0.0' },
      '1.0.0',
    ],
    ['the pinned release written with v', { policy: 'Pinned', wanted: 'v1.0.0' }, '1.0.0'],
    [
      'the running release, under Manual',
      { matrix: matrix(release('1.1.0'), release('1.0.0')), policy: 'Manual', installed: '1.0.0' },
      '1.0.0',
    ],
    [
      'the newest at first installation, under Manual',
      { matrix: matrix(release('1.1.0'), release('1.0.0')), policy: 'Manual' },
      '1.1.0',
    ],
    [
      'the named newer release, under Manual',
      {
        matrix: matrix(release('1.2.0'), release('1.1.0'), release('1.0.0')),
        policy: 'Manual',
        installed: '1.0.0',
        wanted: '1.1.0',
      },
      '1.1.0',
    ],
    [
      'a step on the way, when the newest cannot be reached',
      {
        matrix: matrix(release('3.0.0', { upgradeFrom: { min: '2.0.0' } }), release('2.0.0'), release('1.0.0')),
        installed: '1.0.0',
      },
      '2.0.0',
    ],
    [
      'a release whose layout is known, rather than a newer one',
      { matrix: matrix(release('2.0.0', { layout: 'native-csi-2' }), release('1.0.0')) },
      '1.0.0',
    ],
    [
      'a release of the right driver and distribution',
      {
        matrix: matrix(
          release('9.0.0', { driver: 'cpi' }),
          release('8.0.0', { distribution: 'Upstream' }),
          release('1.0.0'),
        ),
      },
      '1.0.0',
    ],
    [
      'a release that needs a CPI where there is one',
      { matrix: matrix(release('1.0.0', { requires: { cpi: true } })), hasCpi: true },
      '1.0.0',
    ],
    ['a driver without any vCenter to ask', { vcenterVersions: [] }, '1.0.0'],
  ];
  it.each(cases)('%s', (_name, overrides, version) => {
    expect(pickRelease(input(overrides)).release.version).toBe(version);
  });
});

describe('pickRelease explains', () => {
  it('which newer release is available if the policy does not install it', () => {
    const releases = matrix(release('1.1.0'), release('1.0.0'));
    expect(pickRelease(input({ matrix: releases, policy: 'Manual', installed: '1.0.0' }))).toMatchObject({
      explanation: 'it is running, and the update policy is Manual',
      available: { version: '1.1.0' },
    });
    expect(pickRelease(input({ matrix: releases, policy: 'Pinned', wanted: '1.0.0' })).available?.version).toBe(
      '1.1.0',
    );
    expect(pickRelease(input({ matrix: releases })).available).toBeUndefined();
  });

  const cases: readonly [string, Partial<PickInput>, string][] = [
    [
      'a Kubernetes that is too old',
      { kubernetesVersion: 'v1.27.16' },
      'Kubernetes v1.27.16 is too old, it supports 1.28 to 1.37',
    ],
    [
      'a Kubernetes that is too new',
      { kubernetesVersion: 'v1.38.0-alpha.1' },
      'Kubernetes v1.38.0-alpha.1 is too new, it supports 1.28 to 1.37',
    ],
    [
      'a vCenter that is too old',
      { vcenterVersions: vc('6.7.0') },
      'vCenter vc1 6.7.0 is too old, it supports 6.7.3 to 9.0',
    ],
    [
      'the one of two vCenters that is too new',
      { vcenterVersions: vc('8.0.3', '9.1.0') },
      'vCenter vc2 9.1.0 is too new, it supports 6.7.3 to 9.0',
    ],
    [
      'a version that cannot be read',
      { kubernetesVersion: 'unknown' },
      'the version "unknown" of Kubernetes cannot be read',
    ],
    ['a bad release', { matrix: matrix(release('1.0.0', { bad: 'loses events' })) }, 'it is withdrawn: loses events'],
    [
      'a pre-release',
      { matrix: matrix(release('1.0.0-rc.1')) },
      'it is a pre-release, which is installed only if the spec names it',
    ],
    [
      'a missing CPI',
      { matrix: matrix(release('1.0.0', { requires: { cpi: true } })), hasCpi: false },
      'it needs a cloud controller manager, and spec.cpi is not set',
    ],
    ['a downgrade', { installed: '2.0.0' }, 'it is older than the running 2.0.0'],
    [
      'a pinned downgrade',
      { matrix: matrix(release('2.0.0'), release('1.0.0')), installed: '2.0.0', policy: 'Pinned', wanted: '1.0.0' },
      'it is older than the running 2.0.0',
    ],
    [
      'an upgrade that needs a step between',
      { matrix: matrix(release('3.0.0', { upgradeFrom: { min: '2.0.0' } })), installed: '1.0.0' },
      'an upgrade from 1.0.0 is not possible, only from 2.0.0 or later',
    ],
    ['a release that is not listed', { policy: 'Pinned', wanted: '4.0.0' }, 'it does not list that release'],
    ['a driver that is not listed', { driver: 'cpi' }, 'it lists no releases of this driver'],
  ];
  it.each(cases)('%s', (_name, overrides, text) => {
    const error = failure(overrides);
    expect(error).toMatchObject({ code: 'NoCompatibleRelease', retry: 'on-change' });
    expect(error.message).toContain(text);
    expect(error.message).toContain('(matrix 7)');
    expect(error.remedy).not.toBe('');
  });

  it('every obstacle of every release', () => {
    const error = failure({
      matrix: matrix(
        release('2.0.0', { kubernetes: { min: '1.36', max: '1.37' }, bad: 'x' }),
        release('1.0.0', { vsphere: { min: '7.0', max: '7.0' } }),
      ),
    });
    expect(error.details['rejected']).toEqual([
      {
        version: '2.0.0',
        reasons: [
          { kind: 'Bad', text: 'it is withdrawn: x' },
          { kind: 'TooOld', text: 'Kubernetes v1.34.4 is too old, it supports 1.36 to 1.37' },
        ],
      },
      {
        version: '1.0.0',
        reasons: [{ kind: 'TooNew', text: 'vCenter vc.example.com 8.0.3 is too new, it supports 7.0 to 7.0' }],
      },
    ]);
  });

  it('that only a newer operator is missing', () => {
    const error = failure({ matrix: matrix(release('2.0.0', { layout: 'native-csi-9', minOperator: '0.9.0' })) });
    expect(error).toMatchObject({ code: 'ReleaseLayoutUnknown', remedy: 'Upgrade the operator to 0.9.0 or later.' });
  });
});
