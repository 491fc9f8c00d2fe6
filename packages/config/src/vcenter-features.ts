import { productNumbers, vcenterRelease } from './product-version.ts';

export interface VCenterFeature {
  /** In the plural, so that it fits before "need". */
  readonly name: string;
  /** The first version of vCenter with which it is used. */
  readonly since: string;
  readonly driver: 'CPI' | 'CSI';
  /** The reason for this version, for readers of the table. */
  readonly because: string;
}

/**
 * The features of the drivers, and the vCenter version that each needs. This table is used everywhere: for what the storage driver refuses, what checks,
 * admission and vdoctl report before, and what the documentation shows.
 */
export const vcenterFeatures = {
  nodes: {
    name: 'nodes',
    since: '6.7.3',
    driver: 'CPI',
    because: 'the oldest vCenter that the test suites run on',
  },
  'block-volumes': {
    name: 'block volumes',
    since: '6.7.3',
    driver: 'CSI',
    because: 'it introduced container volumes (CNS)',
  },
  growth: {
    name: 'volume expansion',
    since: '7.0.0',
    driver: 'CSI',
    because: 'the call is older, but hosts can expand disks of volumes only since 7.0, as in the Go driver',
  },
  'file-volumes': {
    name: 'file volumes',
    since: '7.0.1',
    driver: 'CSI',
    because: '7.0 has the calls; Update 1 is the oldest release on which the file share tests run',
  },
  'in-tree-disks': {
    name: 'in-tree volumes (CSI migration)',
    since: '7.0.2',
    driver: 'CSI',
    because: 'vCenter reports the path of the disk of a volume (backingDiskPath), which identifies such disks',
  },
  'growth-in-use': {
    name: 'online volume expansion',
    since: '7.0.2',
    driver: 'CSI',
    because: 'in older releases hosts lock the disk of a running VM, as in the Go driver',
  },
  'share-access': {
    name: 'file volumes with network permissions per node',
    since: '7.0.2',
    driver: 'CSI',
    because: 'the access rules of an existing share can be changed (CnsConfigureVolumeACLs)',
  },
  snapshots: {
    name: 'snapshots and copies of volumes',
    since: '7.0.3',
    driver: 'CSI',
    because: 'snapshots of volumes can be listed (CnsQuerySnapshots)',
  },
  moves: {
    name: 'moves of volumes to another datastore',
    since: '8.0.0',
    driver: 'CSI',
    because: 'CnsRelocateVolume',
  },
  'policy-change': {
    name: 'changes of the storage policy of a volume',
    since: '8.0.1',
    driver: 'CSI',
    because: 'CnsReconfigVolumePolicy',
  },
} as const satisfies Readonly<Record<string, VCenterFeature>>;

export type VCenterFeatureId = keyof typeof vcenterFeatures;

/** Versions older than this are unsupported, or a simulator: no feature is refused for them. */
const oldestJudged = [6, 7, 0] as const;

const isOlder = (left: readonly number[], right: readonly number[]): boolean => {
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return (left[i] ?? 0) < (right[i] ?? 0);
  return false;
};

/** False if a vCenter of this version (`vcenterVersionOf`) does not offer it. True if the version cannot be read. */
export const offersFeature = (version: string, feature: VCenterFeatureId): boolean => {
  const numbers = productNumbers(version);
  if (!numbers || isOlder(numbers, oldestJudged)) return true;
  return !isOlder(numbers, productNumbers(vcenterFeatures[feature].since) ?? [0, 0, 0]);
};

/** The features that a vCenter of this version does not have. */
export const lacksOf = (version: string): readonly VCenterFeatureId[] =>
  (Object.keys(vcenterFeatures) as VCenterFeatureId[]).filter((feature) => !offersFeature(version, feature));

/** `file volumes need vCenter 7.0 Update 1`, `volume expansion needs vCenter 7.0`. */
const needOf = (feature: VCenterFeatureId): string => {
  const { name, since } = vcenterFeatures[feature];
  return `${name} ${name.endsWith('expansion') ? 'needs' : 'need'} vCenter ${vcenterRelease(since)}`;
};

/** One sentence about a missing feature: `file volumes need vCenter 7.0 Update 1; this is 6.7 Update 3`. */
export const featureLack = (feature: VCenterFeatureId, version: string, who = 'this'): string =>
  `${needOf(feature)}; ${who} is ${vcenterRelease(version)}`;

/** The features that none of these vCenters offers, as one sentence; undefined if one does, or none is known. */
export const lackOfAll = (
  feature: VCenterFeatureId,
  vcenters: readonly { readonly server: string; readonly version: string }[],
): string | undefined => {
  if (vcenters.length === 0 || vcenters.some(({ version }) => offersFeature(version, feature))) return undefined;
  const are = vcenters.map(({ server, version }) => `${server} is ${vcenterRelease(version)}`);
  return `${needOf(feature)}; ${are.join(', ')}`;
};
