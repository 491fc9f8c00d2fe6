import { type CsiConfig, defaultCsiConfig, type NetPermission, type TopologyCategory } from '../driver-config.ts';
import type { SectionReader } from './section-reader.ts';

const many = { min: 1, max: 1_000_000 };
const labelDomains = ['topology.csi.vmware.com', 'topology.kubernetes.io', 'failure-domain.beta.kubernetes.io'];
/** The Go driver treats 0 as not set. */
const count = (section: SectionReader, key: string): number | undefined =>
  section.text(key) === '0' ? undefined : section.count(key, many);

const readCategories = (csi: SectionReader): readonly TopologyCategory[] => {
  const categories = csi.items('topologyCategories', 'name').flatMap((item): readonly TopologyCategory[] => {
    const name = item.text('name');
    const label = item.text('label');
    if (label !== undefined && !labelDomains.includes(label.split('/')[0] ?? '')) {
      item.problem(
        'label',
        `"${label}" is not in one of the domains ${labelDomains.join(', ')}`,
        `Write ${labelDomains[0]}/ and a name.`,
      );
    }
    if (name === undefined) {
      item.problem('name', 'a topology category has no name', 'Add the name of the vSphere tag category.');
      return [];
    }
    return [{ name, ...(label === undefined ? {} : { label }) }];
  });
  if (categories.length > 5) {
    csi.problem(
      'topologyCategories',
      `${categories.length} categories; at most 5 are possible`,
      'Remove some of them.',
    );
  }
  return categories;
};

const readNetPermissions = (csi: SectionReader): readonly NetPermission[] =>
  csi.items('netPermissions', 'ips').map((item, index) => ({
    name: item.text('name') ?? String(index),
    ips: item.text('ips') ?? '*',
    permissions: item.oneOf('permissions', ['READ_WRITE', 'READ_ONLY', 'NO_ACCESS']) ?? 'READ_WRITE',
    rootSquash: item.flag('rootSquash') ?? false,
  }));

const readSnapshots = (section: SectionReader): CsiConfig['snapshots'] => {
  const maxPerVolumeVsan = count(section, 'maxPerVolumeVsan');
  const maxPerVolumeVvol = count(section, 'maxPerVolumeVvol');
  return {
    maxPerVolume: count(section, 'maxPerVolume') ?? defaultCsiConfig.snapshots.maxPerVolume,
    ...(maxPerVolumeVsan === undefined ? {} : { maxPerVolumeVsan }),
    ...(maxPerVolumeVvol === undefined ? {} : { maxPerVolumeVvol }),
  };
};

/** The `csi` section: settings of the storage driver only. */
export const readCsi = (csi: SectionReader): CsiConfig => {
  csi.ignore('supervisorId', 'registerCleanupIntervalMinutes', 'pvcProtectionCleanupIntervalMinutes');
  const clusterId = csi.text('clusterId');
  if (clusterId !== undefined && clusterId.length > 64) {
    csi.problem('clusterId', `has ${clusterId.length} characters; at most 64 are possible`, 'Shorten it.');
  }
  const clusterDistribution = csi.text('clusterDistribution');
  const number = (key: Exclude<keyof CsiConfig, 'snapshots'>): number =>
    count(csi, key) ?? Number(defaultCsiConfig[key]);
  return {
    ...(clusterId === undefined ? {} : { clusterId }),
    ...(clusterDistribution === undefined ? {} : { clusterDistribution }),
    queryLimit: number('queryLimit'),
    listVolumeThreshold: number('listVolumeThreshold'),
    authCheckIntervalMinutes: number('authCheckIntervalMinutes'),
    preferredDatastoresIntervalMinutes: number('preferredDatastoresIntervalMinutes'),
    operationCleanupIntervalMinutes: number('operationCleanupIntervalMinutes'),
    migrationCleanupIntervalMinutes: number('migrationCleanupIntervalMinutes'),
    fullSyncIntervalMinutes: number('fullSyncIntervalMinutes'),
    topologyCategories: readCategories(csi),
    netPermissions: readNetPermissions(csi),
    fileVolumes: csi.flag('fileVolumes') ?? defaultCsiConfig.fileVolumes,
    fileVolumeDatastoreUrls: csi.list('fileVolumeDatastoreUrls') ?? [],
    fileVolumeClusters: csi.list('fileVolumeClusters') ?? [],
    snapshots: readSnapshots(csi.section('snapshots')),
    inTreeMigration: csi.flag('inTreeMigration') ?? defaultCsiConfig.inTreeMigration,
  };
};
