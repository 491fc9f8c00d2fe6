/** INI key (lower case) → key of the YAML format. */
type KeyTable = Readonly<Record<string, string>>;

const connection = {
  user: 'user',
  password: 'password',
  server: 'server',
  port: 'port',
  'insecure-flag': 'insecureFlag',
  datacenters: 'datacenters',
  'soap-roundtrip-count': 'soapRoundtripCount',
  'ca-file': 'caFile',
  thumbprint: 'thumbprint',
  'secret-name': 'secretName',
  'secret-namespace': 'secretNamespace',
  'ip-family': 'ipFamily',
} as const satisfies KeyTable;

/** Keys of `[Global]` that both drivers share. */
export const globalKeys = {
  ...connection,
  'secrets-directory': 'secretsDirectory',
  'api-disable': 'apiDisable',
  'api-binding': 'apiBinding',
  // The in-tree provider's file.
  datacenter: 'datacenter',
  datastore: 'datastore',
  'working-dir': 'workingDir',
  'vm-uuid': 'vmUuid',
  'vm-name': 'vmName',
} as const satisfies KeyTable;

/** Keys of `[Global]` that only the storage driver reads; they live under `csi` in YAML. */
export const csiGlobalKeys = {
  'cluster-id': 'clusterId',
  'cluster-distribution': 'clusterDistribution',
  'query-limit': 'queryLimit',
  'list-volume-threshold': 'listVolumeThreshold',
  'csi-auth-check-intervalinmin': 'authCheckIntervalMinutes',
  'csi-fetch-preferred-datastores-intervalinmin': 'preferredDatastoresIntervalMinutes',
  'cnsvolumeoperationrequest-cleanup-intervalinmin': 'operationCleanupIntervalMinutes',
  'volumemigration-cr-cleanup-intervalinmin': 'migrationCleanupIntervalMinutes',
  // Known to the Supervisor flavor of the Go driver.
  'supervisor-id': 'supervisorId',
  'cnsregistervolumes-cleanup-intervalinmin': 'registerCleanupIntervalMinutes',
  'cnspvcprotection-cleanup-intervalinmin': 'pvcProtectionCleanupIntervalMinutes',
} as const satisfies KeyTable;

export const vcenterKeys = {
  ...connection,
  'migration-datastore-url': 'migrationDatastoreUrl',
  targetvsanfileshareclusters: 'targetVsanFileShareClusters',
} as const satisfies KeyTable;

export const labelKeys = { region: 'region', zone: 'zone' } as const satisfies KeyTable;

export const nodeKeys = {
  'internal-network-subnet-cidr': 'internalNetworkSubnetCidr',
  'external-network-subnet-cidr': 'externalNetworkSubnetCidr',
  'internal-vm-network-name': 'internalVmNetworkName',
  'external-vm-network-name': 'externalVmNetworkName',
  'exclude-internal-network-subnet-cidr': 'excludeInternalNetworkSubnetCidr',
  'exclude-external-network-subnet-cidr': 'excludeExternalNetworkSubnetCidr',
} as const satisfies KeyTable;

export const netPermissionKeys = {
  ips: 'ips',
  permissions: 'permissions',
  rootsquash: 'rootSquash',
} as const satisfies KeyTable;

export const snapshotKeys = {
  'global-max-snapshots-per-block-volume': 'maxPerVolume',
  'granular-max-snapshots-per-block-volume-vsan': 'maxPerVolumeVsan',
  'granular-max-snapshots-per-block-volume-vvol': 'maxPerVolumeVvol',
} as const satisfies KeyTable;

/** Sections of the in-tree provider's file. */
export const workspaceKeys = {
  server: 'server',
  datacenter: 'datacenter',
  folder: 'folder',
  'default-datastore': 'defaultDatastore',
  'resourcepool-path': 'resourcePoolPath',
} as const satisfies KeyTable;
export const diskKeys = { scsicontrollertype: 'scsiControllerType' } as const satisfies KeyTable;
export const networkKeys = { 'public-network': 'publicNetwork' } as const satisfies KeyTable;

const all: KeyTable = {
  ...globalKeys,
  ...csiGlobalKeys,
  ...vcenterKeys,
  ...labelKeys,
  ...nodeKeys,
  ...netPermissionKeys,
  ...snapshotKeys,
  ...workspaceKeys,
  ...diskKeys,
  ...networkKeys,
};
const back = new Map(Object.entries(all).map(([ini, yaml]) => [yaml, ini]));

/** The YAML spelling of an INI key that differs from it. */
export const yamlSpelling = (key: string): string | undefined => {
  const yaml = all[key.toLowerCase()];
  return yaml === key ? undefined : yaml;
};

/** The INI spelling of a YAML key that differs from it. */
export const iniSpelling = (key: string): string | undefined => {
  const ini = back.get(key);
  return ini === key.toLowerCase() ? undefined : ini;
};
