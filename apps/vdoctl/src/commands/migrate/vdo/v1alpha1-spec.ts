import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import {
  cpiAccount,
  type DriverAccounts,
  mergeVCenters,
  splitNotes,
  splitServers,
  type VCenterUse,
} from '../engine/merge-vcenters.ts';
import type { V1alpha1Config, V1alpha1Facts, V1alpha1VCenter } from './v1alpha1-facts.ts';

export interface V1alpha1Spec {
  readonly spec: VSphereDriversSpecInput;
  /** Settings that now have another meaning, and what that means for the user. */
  readonly notes: readonly string[];
}

type FileVolumes = NonNullable<NonNullable<VSphereDriversSpecInput['csi']>['fileVolumes']>;

const permissions = { READ_WRITE: 'ReadWrite', READ_ONLY: 'ReadOnly', NO_ACCESS: 'NoAccess' } as const;
type Permission = keyof typeof permissions;

const nameOf = ({ metadata }: V1alpha1Config): string => `${metadata.namespace}/${metadata.name}`;

/** The wizard of upstream VDO creates another VDOConfig each time it runs. */
const onlyConfig = ({ configs }: V1alpha1Facts, chosen: string | undefined): V1alpha1Config => {
  const wanted =
    chosen === undefined ? configs : configs.filter((one) => [nameOf(one), one.metadata.name].includes(chosen));
  const [config, second] = wanted;
  if (config && !second) return config;
  const all = configs.map(nameOf).join(', ');
  throw new VdoError({
    code: 'ConfigMissing',
    message: config
      ? `there are ${wanted.length} VDOConfigs: ${wanted.map(nameOf).join(', ')}`
      : configs.length > 0
        ? `VDOConfig ${chosen} does not exist; found: ${all}`
        : 'this cluster has no VDOConfig of upstream VDO',
    remedy:
      configs.length > 0
        ? 'Choose the one that installed the drivers with --vdo-config NAMESPACE/NAME. To see the status of each: kubectl get vdoconfigs -A -o yaml'
        : 'Run vdoctl status to see what is installed. To install drivers, run vdoctl configure.',
  });
};

const vcentersOf = (
  config: V1alpha1Config,
  facts: V1alpha1Facts,
  named: readonly string[],
): readonly V1alpha1VCenter[] =>
  [...new Set(named)]
    .filter((name) => name !== '')
    .map((name) => {
      const found = facts.vcenters.find(
        ({ metadata }) => metadata.name === name && metadata.namespace === config.metadata.namespace,
      );
      if (found) return found;
      throw new VdoError({
        code: 'ConfigMissing',
        message: `VDOConfig ${config.metadata.name} refers to VsphereCloudConfig ${name}, which does not exist in ${config.metadata.namespace}`,
        remedy: 'Correct the VDOConfig, or create a new resource with vdoctl configure.',
      });
    });

/** The vCenters of each driver. The wizard of upstream VDO creates one entry per driver, even for the same vCenter. */
const usedVCenters = (config: V1alpha1Config, facts: V1alpha1Facts) => ({
  cpi: vcentersOf(config, facts, config.spec.cloudProvider?.vsphereCloudConfigs ?? []),
  csi: vcentersOf(config, facts, [config.spec.storageProvider?.vsphereCloudConfig ?? '']),
});

const useOf = ({ spec }: V1alpha1VCenter): VCenterUse => ({
  server: spec.vcIp,
  thumbprints: spec.thumbprint ? [spec.thumbprint] : [],
  insecure: spec.insecure === true,
  datacenters: spec.datacenters ?? [],
});

/** Server → account, from the entries of one driver. */
const accountsOf = (facts: V1alpha1Facts, used: readonly V1alpha1VCenter[]): ReadonlyMap<string, Account> =>
  new Map(
    used.flatMap(({ metadata, spec }) => {
      const account = facts.accounts.get(metadata.name ?? '');
      return account ? [[spec.vcIp, account] as const] : [];
    }),
  );

export const v1alpha1Accounts = (facts: V1alpha1Facts, chosen: string | undefined): DriverAccounts => {
  const { cpi, csi } = usedVCenters(onlyConfig(facts, chosen), facts);
  return { cpi: accountsOf(facts, cpi), csi: accountsOf(facts, csi) };
};

const fileVolumesOf = ({ spec }: V1alpha1Config): FileVolumes | undefined => {
  const { vsanDataStoreUrl = [], netPermissions = [] } = spec.storageProvider?.fileVolumes ?? {};
  if (vsanDataStoreUrl.length === 0 && netPermissions.length === 0) return undefined;
  return {
    ...(vsanDataStoreUrl.length > 0 ? { datastoreUrls: [...vsanDataStoreUrl] } : {}),
    ...(netPermissions.length > 0
      ? {
          netPermissions: netPermissions.map(({ ips, permissions: allowed, rootSquash = false }) => ({
            ips,
            // Without this setting, that driver allowed everybody to read and write, with root as root.
            permissions: permissions[(allowed ?? 'READ_WRITE') as Permission] ?? 'ReadWrite',
            rootSquash,
          })),
        }
      : {}),
  };
};

const notesOf = (
  vcenters: VSphereDriversSpecInput['vcenters'],
  options: {
    readonly clusterId: string;
    readonly hasFileVolumes: boolean;
    readonly split: readonly string[];
    readonly secretName: string;
  },
): readonly string[] => [
  ...vcenters
    .filter(({ tls }) => tls === undefined)
    .map(
      ({ server }) =>
        `certificate of vCenter ${server}: upstream VDO did not verify it. If it is not signed by a public CA, the operator reports this; then add its fingerprint to tls.thumbprints`,
    ),
  ...splitNotes(options.secretName, options.split),
  ...(vcenters.some(({ server }) => server === options.clusterId)
    ? [
        `cluster ID ${options.clusterId}: upstream VDO used the same ID for every cluster of that vCenter. It is kept, because the volumes are registered with it. If several clusters use this vCenter, see vdoctl explain storage/cluster-id-unique`,
      ]
    : []),
  ...(options.hasFileVolumes
    ? [
        'root squash of file volumes: copied from the VsphereCloudConfig. Check it: the wizard of upstream VDO stored the opposite of the answer',
      ]
    : []),
];

/** The resource for the objects of upstream VDO. Pure. */
export const specOfV1alpha1 = (
  facts: V1alpha1Facts,
  options: {
    readonly distribution: 'Native' | 'Upstream';
    readonly secretName: string;
    /** `name` or `namespace/name` of the VDOConfig, if there are several. */
    readonly vdoConfig?: string | undefined;
  },
): V1alpha1Spec => {
  const { distribution, secretName, vdoConfig } = options;
  const config = onlyConfig(facts, vdoConfig);
  const { cloudProvider, storageProvider } = config.spec;
  const used = usedVCenters(config, facts);
  const vcenters = mergeVCenters([...used.cpi, ...used.csi].map(useOf), secretName);
  const split = splitServers(
    vcenters.map(({ server }) => server),
    v1alpha1Accounts(facts, vdoConfig),
  );
  const [storage] = used.csi;
  const clusterId = facts.clusterId ?? storage?.spec.vcIp ?? '';
  const fileVolumes = fileVolumesOf(config);
  const { zone, region } = cloudProvider?.topology ?? {};
  const kubeletPath = storageProvider?.customKubeletPath;
  const clusterDistribution = storageProvider?.clusterDistribution;
  return {
    spec: {
      distribution,
      vcenters,
      ...(used.cpi.length > 0 ? { cpi: cpiAccount(secretName, split) } : {}),
      ...(storage
        ? {
            csi: {
              clusterId,
              ...(clusterDistribution ? { clusterDistribution } : {}),
              ...(fileVolumes ? { fileVolumes } : {}),
            },
          }
        : {}),
      ...(zone || region ? { topology: { ...(region ? { region } : {}), ...(zone ? { zone } : {}) } } : {}),
      ...(kubeletPath ? { advanced: { kubeletPath } } : {}),
    },
    notes: notesOf(vcenters, { clusterId, hasFileVolumes: fileVolumes !== undefined, split, secretName }),
  };
};
