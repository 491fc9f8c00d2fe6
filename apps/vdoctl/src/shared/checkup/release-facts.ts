import { isVdoError } from '@vdo/base/vdo-error';
import type { DriverReleaseFacts, ReleaseFacts } from '@vdo/checks/facts';
import type { Support } from '@vdo/checks/facts/vcenter-facts';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { vcenterVersionOf } from '@vdo/config/product-version';
import { embeddedSource } from '@vdo/releases/load-matrix';
import { type DriverKind, expiryFacts, type Matrix, type Release } from '@vdo/releases/matrix';
import { pickRelease } from '@vdo/releases/pick-release';
import { knownLayouts } from '@vdo/releases/render/layouts';
import { compareToRange } from '@vdo/releases/versions';
import type { ChosenMatrix } from '../releases/matrix-in-use.ts';

const supportOf = (version: string, range: Release['kubernetes']): Support => ({
  ...range,
  verdict: compareToRange(version, range),
});

/** The running release, otherwise the one that would be selected; undefined if none is compatible. */
const releaseOf = (driver: DriverKind, resource: VSphereDrivers, matrix: Matrix, kubernetesVersion: string) => {
  const { spec, status } = resource;
  const running = status?.drivers?.find(({ kind }) => kind === driver.toUpperCase());
  const listed = matrix.releases.find(
    (release) =>
      release.driver === driver && release.distribution === spec.distribution && release.version === running?.version,
  );
  if (listed) return { release: listed, installed: true };
  try {
    const vcenterVersions = (status?.versions?.vcenters ?? []).flatMap(({ server, version }) =>
      version === undefined ? [] : [{ server, version }],
    );
    const { release } = pickRelease({
      matrix,
      driver,
      distribution: spec.distribution,
      kubernetesVersion,
      vcenterVersions,
      layouts: knownLayouts,
      policy: 'Automatic',
    });
    return { release, installed: running !== undefined };
  } catch (error) {
    if (isVdoError(error, 'NoCompatibleRelease', 'ReleaseLayoutUnknown')) return undefined;
    throw error;
  }
};

export interface CheckupReleases {
  readonly releases: ReleaseFacts;
  readonly vsphereSupport?: (product: { readonly version: string; readonly apiVersion: string }) => Support;
}

/** The facts about releases that the checks need, from a matrix. */
export const checkupReleases = (
  resource: VSphereDrivers,
  kubernetesVersion: string,
  { matrix, source, usedBy }: ChosenMatrix,
): CheckupReleases => {
  const wanted = (['cpi', 'csi'] as const).filter((driver) => resource.spec[driver] !== undefined);
  const found = wanted.flatMap((driver) => releaseOf(driver, resource, matrix, kubernetesVersion) ?? []);
  const drivers = found.map(
    ({ release, installed }): DriverReleaseFacts => ({
      kind: release.driver === 'cpi' ? 'CPI' : 'CSI',
      distribution: release.distribution,
      version: release.version,
      installed,
      kubernetes: supportOf(kubernetesVersion, release.kubernetes),
    }),
  );
  const facts: ReleaseFacts = {
    drivers,
    matrix: {
      serial: matrix.serial,
      source,
      publishedMs: Date.parse(matrix.published),
      ...expiryFacts(matrix),
      // The operator stores only matrices with a trusted signature.
      signature: usedBy === 'operator' && source !== embeddedSource ? 'trusted' : 'embedded',
    },
  };
  const ranges = found.map(({ release }) => release.vsphere);
  const [first] = ranges;
  if (!first) return { releases: facts };
  return {
    releases: facts,
    vsphereSupport: (product) => {
      const supports = ranges.map((range) => supportOf(vcenterVersionOf(product), range));
      return supports.find(({ verdict }) => verdict !== 'inside') ?? supportOf(vcenterVersionOf(product), first);
    },
  };
};
