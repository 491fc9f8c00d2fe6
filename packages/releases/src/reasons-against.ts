import { isUntriedVCenter } from '@vdo/config/product-version';
import type { Release } from './matrix.ts';
import type { PickInput } from './pick-input.ts';
import { compareReleases, compareToRange, isPreRelease } from './versions.ts';

export type ReasonKind =
  | 'Bad'
  | 'TooOld'
  | 'TooNew'
  | 'Unreadable'
  | 'PreRelease'
  | 'LayoutUnknown'
  | 'CpiMissing'
  | 'Downgrade'
  | 'UpgradePath';

export interface Reason {
  readonly kind: ReasonKind;
  /** Continues "3.7.3: …". */
  readonly text: string;
}

export interface Rejection {
  readonly release: Release;
  readonly reasons: readonly Reason[];
}

const rangeReason = (
  product: string,
  version: string,
  range: { readonly min: string; readonly max: string },
): readonly Reason[] => {
  const works = `it supports ${range.min} to ${range.max}`;
  switch (compareToRange(version, range)) {
    case 'inside':
      return [];
    case 'too-old':
      return [{ kind: 'TooOld', text: `${product} ${version} is too old, ${works}` }];
    case 'too-new':
      return [{ kind: 'TooNew', text: `${product} ${version} is too new, ${works}` }];
    case 'unreadable':
      return [{ kind: 'Unreadable', text: `the version "${version}" of ${product} cannot be read` }];
  }
};

const minorOf = (version: string): string => version.replace(/^v/, '').split('.').slice(0, 2).join('.');

/** Whether an older release can read what the running one has stored: volumes, intents and records stay. */
const readsWhatWrote = (older: Release, installed: string, running: Release | undefined): boolean => {
  const oldest = running?.downgradeTo?.min;
  if (oldest !== undefined) return compareReleases(older.version, oldest) >= 0;
  return minorOf(older.version) === minorOf(installed);
};

const backwardReasons = (
  release: Release,
  releases: readonly Release[],
  { installed, wanted }: { readonly installed: string; readonly wanted: string | undefined },
): readonly Reason[] => {
  const running = releases.find(({ version }) => compareReleases(version, installed) === 0);
  // A release that was found bad is replaced by an older one; otherwise nothing is downgraded automatically.
  if (running?.bad !== undefined) return [];
  const text = `it is older than the running ${installed}`;
  const isNamed = wanted !== undefined && compareReleases(wanted, release.version) === 0;
  if (!isNamed) return [{ kind: 'Downgrade', text }];
  if (readsWhatWrote(release, installed, running)) return [];
  const oldest = running?.downgradeTo?.min;
  const back = oldest === undefined ? `to releases of ${minorOf(installed)}` : `to ${oldest} or later`;
  return [
    {
      kind: 'Downgrade',
      text: `${text}, whose data it may not be able to read: the compatibility matrix allows a downgrade only ${back}`,
    },
  ];
};

const pathReasons = (
  release: Release,
  releases: readonly Release[],
  { installed, wanted }: PickInput,
): readonly Reason[] => {
  if (installed === undefined) return [];
  const order = compareReleases(release.version, installed);
  if (order < 0) return backwardReasons(release, releases, { installed, wanted });
  const from = release.upgradeFrom?.min;
  if (order > 0 && from !== undefined && compareReleases(installed, from) < 0) {
    return [{ kind: 'UpgradePath', text: `an upgrade from ${installed} is not possible, only from ${from} or later` }];
  }
  return [];
};

/** All reasons against one release; empty if it can be installed. */
export const reasonsAgainst = (release: Release, releases: readonly Release[], input: PickInput): readonly Reason[] => {
  const { wanted, installed } = input;
  const named = [wanted, installed].some(
    (version) => version !== undefined && compareReleases(version, release.version) === 0,
  );
  const bad: readonly Reason[] =
    release.bad === undefined ? [] : [{ kind: 'Bad', text: `it is withdrawn: ${release.bad}` }];
  const preRelease: readonly Reason[] =
    isPreRelease(release.version) && !named
      ? [{ kind: 'PreRelease', text: 'it is a pre-release, which is installed only if the spec names it' }]
      : [];
  const layout: readonly Reason[] = input.layouts.includes(release.layout)
    ? []
    : [{ kind: 'LayoutUnknown', text: `this operator does not know its layout ${release.layout}` }];
  const cpi: readonly Reason[] =
    release.requires?.cpi === true && input.hasCpi === false
      ? [{ kind: 'CpiMissing', text: 'it needs a cloud controller manager, and spec.cpi is not set' }]
      : [];
  return [
    ...bad,
    ...rangeReason('Kubernetes', input.kubernetesVersion, release.kubernetes),
    ...input.vcenterVersions.flatMap(({ server, version }) =>
      isUntriedVCenter(version) ? [] : rangeReason(`vCenter ${server}`, version, release.vsphere),
    ),
    ...preRelease,
    ...layout,
    ...cpi,
    ...pathReasons(release, releases, input),
  ];
};
