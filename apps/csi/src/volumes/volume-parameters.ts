import { VdoError } from '@vdo/base/vdo-error';
import { parameterKeys } from '@vdo/config/names';

/** The parameters of a StorageClass. */
export interface VolumeParameters {
  readonly storagePolicyName?: string;
  readonly datastoreUrl?: string;
  /** Name of the datastore, from a StorageClass of the in-tree provider. */
  readonly datastoreName?: string;
  /** The class is for the in-tree provider; csi-provisioner has translated it. */
  readonly inTree?: true;
  /** File system from the class; that of the volume capability takes precedence. */
  readonly fsType?: string;
  /** The claim, if the provisioner passes it (`--extra-create-metadata`). */
  readonly claim?: { readonly namespace: string; readonly name: string };
}

const known = {
  storagepolicyname: 'storagePolicyName',
  datastoreurl: 'datastoreUrl',
  [parameterKeys.fileSystem]: 'fsType',
  'csi.storage.k8s.io/pvc/name': 'claimName',
  'csi.storage.k8s.io/pvc/namespace': 'claimNamespace',
  'csi.storage.k8s.io/pv/name': 'volumeName',
  csimigration: 'migration',
  'datastore-migrationparam': 'datastoreName',
  'diskformat-migrationparam': 'diskFormat',
} as const;

/** vSAN settings of in-tree classes, which a storage policy of vCenter replaces. */
const vsanSettings: ReadonlySet<string> = new Set(
  [
    'hostfailurestotolerate',
    'forceprovisioning',
    'cachereservation',
    'diskstripes',
    'objectspacereservation',
    'iopslimit',
  ].map((name) => `${name}-migrationparam`),
);

const forUsers = ['storagepolicyname', 'datastoreurl', parameterKeys.fileSystem];

const fileSystems: readonly string[] = ['ext4', 'ext3', 'xfs', 'btrfs', 'nfs', 'nfs4'];

// Settings of the in-tree provider that users may still have, with their replacements.
const hints: Readonly<Record<string, string>> = {
  diskformat: 'Remove it: container volumes are thin-provisioned. Use a storage policy for thick provisioning.',
  datastore:
    'Use datastoreurl, with the URL that vCenter shows in the summary of the datastore (ds:///vmfs/volumes/...).',
  fstype: 'Use csi.storage.k8s.io/fstype.',
  storagepolicyid: 'Use storagepolicyname.',
};

const unknownParameter = (key: string): VdoError =>
  new VdoError({
    code: 'VolumeParametersInvalid',
    message: `StorageClass parameter ${key} is not supported`,
    remedy:
      (vsanSettings.has(key.toLowerCase())
        ? `Create a storage policy in vCenter with the setting of ${key.toLowerCase().replace('-migrationparam', '')}, and set storagepolicyname to its name.`
        : hints[key.toLowerCase()]) ??
      `Re-create the StorageClass without it. Supported parameters are ${forUsers.join(', ')} (case-insensitive).`,
  });

const malformed = (key: string, value: string, remedy: string): VdoError =>
  new VdoError({
    code: 'VolumeParametersInvalid',
    message: `StorageClass parameter ${key} has the value "${value}"`,
    remedy,
  });

const assertUsable = (key: string, name: string, value: string): void => {
  if (name === 'fsType' && value !== '' && !fileSystems.includes(value.toLowerCase()))
    throw malformed(key, value, 'Use ext4, ext3, xfs or btrfs, or nfs4 for volumes that several nodes share.');
  if (name === 'migration' && value !== 'true')
    throw malformed(
      key,
      value,
      `Remove ${key}: csi-provisioner adds it automatically to classes of the in-tree provider.`,
    );
  if (name === 'diskFormat' && !['thin', 'zeroedthick', 'eagerzeroedthick'].includes(value.toLowerCase()))
    throw malformed(key, value, 'Set diskformat to thin, zeroedthick or eagerzeroedthick, or remove it.');
  if (value.trim() === '') throw malformed(key, value, `Set ${key} to a value, or remove it.`);
  if (name === 'datastoreUrl' && !/^ds:\/\/\/.+/.test(value))
    throw malformed(
      key,
      value,
      'Use the URL that vCenter shows in the summary of the datastore, such as ds:///vmfs/volumes/5f3c.../.',
    );
};

/**
 * Reads the parameters of a StorageClass: keys are case-insensitive, unknown keys are refused. A class of the in-tree provider without a
 * datastore gets the given one.
 */
export const readVolumeParameters = (
  parameters: Readonly<Record<string, string>>,
  inTreeDatastoreUrl?: string,
): VolumeParameters => {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(parameters)) {
    const name = known[key.toLowerCase() as keyof typeof known];
    if (name === undefined) throw unknownParameter(key);
    if (found.has(name))
      throw malformed(key, value, `Parameter ${key} is set twice, with different capitalization. Remove one of them.`);
    assertUsable(key, name, value);
    found.set(name, value);
  }
  const inTree = found.has('migration');
  if (inTree && inTreeDatastoreUrl !== undefined && !found.has('datastoreName') && !found.has('datastoreUrl'))
    found.set('datastoreUrl', inTreeDatastoreUrl);
  const orphaned = ['datastoreName', 'diskFormat'].find((name) => found.has(name));
  if (!inTree && orphaned) {
    const key = orphaned === 'datastoreName' ? 'datastore-migrationparam' : 'diskformat-migrationparam';
    throw malformed(
      key,
      found.get(orphaned) ?? '',
      `${key} is for classes of the in-tree provider. ${hints[key.replace('-migrationparam', '')] ?? ''}`,
    );
  }
  const claimName = found.get('claimName');
  const claimNamespace = found.get('claimNamespace');
  return {
    ...pick(found, 'storagePolicyName'),
    ...pick(found, 'datastoreUrl'),
    ...pick(found, 'datastoreName'),
    ...(inTree ? { inTree: true as const } : {}),
    ...pick(found, 'fsType'),
    ...(claimName && claimNamespace ? { claim: { name: claimName, namespace: claimNamespace } } : {}),
  };
};

const pick = <K extends string>(found: ReadonlyMap<string, string>, key: K): { readonly [P in K]?: string } => {
  const value = found.get(key);
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: string });
};
