import { VdoError } from '@vdo/base/vdo-error';
import type { Account } from './credentials.ts';
import { type DriverConfig, defaultCsiConfig, type VCenterConfig } from './driver-config.ts';
import { type IniBlock, writeIni } from './ini/write-ini.ts';
import { iniConnection, iniList } from './write/ini-values.ts';
import { unlessDefault } from './write/prune.ts';

export interface WriteCsiConfOptions {
  /** The Go driver cannot refer to a Secret: its file must contain the account. Default: the inline account. */
  readonly accountOf?: (vcenter: VCenterConfig) => Account;
}

const inlineAccount = ({ name, credentials }: VCenterConfig): Account => {
  if (credentials.kind === 'inline') return credentials;
  throw new VdoError({
    code: 'ConfigInvalid',
    message: `the account of vCenter ${name} is not available, but csi-vsphere.conf must contain it`,
    remedy: 'Pass the account from the Secret.',
  });
};

const globalBlock = ({ csi }: DriverConfig): IniBlock => ({
  name: 'Global',
  values: {
    'cluster-id': csi.clusterId,
    'cluster-distribution': csi.clusterDistribution,
    'query-limit': unlessDefault(csi.queryLimit, defaultCsiConfig.queryLimit),
    'list-volume-threshold': unlessDefault(csi.listVolumeThreshold, defaultCsiConfig.listVolumeThreshold),
    'csi-auth-check-intervalinmin': unlessDefault(
      csi.authCheckIntervalMinutes,
      defaultCsiConfig.authCheckIntervalMinutes,
    ),
    'csi-fetch-preferred-datastores-intervalinmin': unlessDefault(
      csi.preferredDatastoresIntervalMinutes,
      defaultCsiConfig.preferredDatastoresIntervalMinutes,
    ),
    'cnsvolumeoperationrequest-cleanup-intervalinmin': unlessDefault(
      csi.operationCleanupIntervalMinutes,
      defaultCsiConfig.operationCleanupIntervalMinutes,
    ),
    'volumemigration-cr-cleanup-intervalinmin': unlessDefault(
      csi.migrationCleanupIntervalMinutes,
      defaultCsiConfig.migrationCleanupIntervalMinutes,
    ),
  },
});

/**
 * Whether the categories are written as region and zone. Only then does the Go driver read their labels; it requires both, and
 * supports this only for a single vCenter. Otherwise it calls each `topology.csi.vmware.com/<category>`, whatever the file says.
 */
const asRegionAndZone = ({ vcenters, csi: { topologyCategories } }: DriverConfig): boolean =>
  vcenters.length === 1 &&
  topologyCategories.length === 2 &&
  topologyCategories.every(({ label }) => label !== undefined);

const labelBlocks = (config: DriverConfig): readonly IniBlock[] => {
  const { labels, csi } = config;
  const categories = csi.topologyCategories;
  const [first, second] = categories;
  // The Go driver refuses a file with both; categories are the newer format.
  const values = asRegionAndZone(config)
    ? { region: first?.name, zone: second?.name }
    : categories.length > 0
      ? {
          'topology-categories': iniList(
            categories.map(({ name }) => name),
            'category',
          ),
        }
      : { region: labels.region, zone: labels.zone };
  const labelled = categories.filter(({ label }) => label !== undefined);
  return [
    { name: 'Labels', values },
    ...labelled.map(({ name, label }): IniBlock => ({ name: 'TopologyCategory', subname: name, values: { label } })),
  ];
};

/** A section is named after the host, and the Go driver cannot distinguish vCenters in any other way. */
const refuseSharedHosts = ({ vcenters }: DriverConfig): void => {
  const servers = vcenters.map(({ server }) => server.toLowerCase());
  const twice = servers.find((server, index) => servers.indexOf(server) !== index);
  if (twice === undefined) return;
  throw new VdoError({
    code: 'ConfigInvalid',
    message: `${twice} is used for several vCenters on different ports, which csi-vsphere.conf does not support`,
    remedy: 'Give each vCenter its own host name, or use the YAML format.',
  });
};

/** Writes `csi-vsphere.conf`, as the Go storage driver reads it. It contains accounts: store it in a Secret. */
export const writeCsiConfIni = (config: DriverConfig, options: WriteCsiConfOptions = {}): string => {
  refuseSharedHosts(config);
  const accountOf = options.accountOf ?? inlineAccount;
  const { netPermissions, snapshots } = config.csi;
  return writeIni([
    globalBlock(config),
    ...config.vcenters.map((vcenter): IniBlock => {
      const { username, password } = accountOf(vcenter);
      const connection = iniConnection(vcenter);
      const migration = { 'migration-datastore-url': vcenter.migrationDatastoreUrl };
      return {
        name: 'VirtualCenter',
        subname: vcenter.server,
        values: { ...connection, user: username, password, ...migration },
      };
    }),
    ...netPermissions.map(
      ({ name, ips, permissions, rootSquash }): IniBlock => ({
        name: 'NetPermissions',
        subname: name,
        values: { ips, permissions, rootsquash: rootSquash },
      }),
    ),
    ...labelBlocks(config),
    {
      name: 'Snapshot',
      values: {
        'global-max-snapshots-per-block-volume': unlessDefault(snapshots.maxPerVolume, 3),
        'granular-max-snapshots-per-block-volume-vsan': snapshots.maxPerVolumeVsan,
        'granular-max-snapshots-per-block-volume-vvol': snapshots.maxPerVolumeVvol,
      },
    },
  ]);
};
