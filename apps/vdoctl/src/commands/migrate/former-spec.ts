import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import type { FormerConfig, FormerFacts, FormerVCenter } from './former-facts.ts';

export interface FormerSpec {
  readonly spec: VSphereDriversSpecInput;
  /** What is read differently from now on, and what that means. */
  readonly notes: readonly string[];
}

type FileVolumes = NonNullable<NonNullable<VSphereDriversSpecInput['csi']>['fileVolumes']>;

const permissions = { READ_WRITE: 'ReadWrite', READ_ONLY: 'ReadOnly', NO_ACCESS: 'NoAccess' } as const;
type Permission = keyof typeof permissions;

const onlyConfig = ({ configs }: FormerFacts): FormerConfig => {
  const [config, second] = configs;
  if (config && !second) return config;
  throw new VdoError({
    code: 'ConfigMissing',
    message: config
      ? `there are ${configs.length} VDOConfigs: ${configs.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(', ')}`
      : 'this cluster has no VDOConfig of upstream VDO',
    remedy: config
      ? 'Delete those that are not in use: kubectl get vdoconfigs -A shows them.'
      : 'vdoctl status tells what is there; vdoctl configure writes a resource from scratch.',
  });
};

/** The vCenters that the drivers use, that of the storage driver last, each once. */
const usedVCenters = (config: FormerConfig, facts: FormerFacts): readonly FormerVCenter[] => {
  const { cloudProvider, storageProvider } = config.spec;
  const named = [...(cloudProvider?.vsphereCloudConfigs ?? []), storageProvider?.vsphereCloudConfig ?? ''];
  return [...new Set(named)]
    .filter((name) => name !== '')
    .map((name) => {
      const found = facts.vcenters.find(
        ({ metadata }) => metadata.name === name && metadata.namespace === config.metadata.namespace,
      );
      if (found) return found;
      throw new VdoError({
        code: 'ConfigMissing',
        message: `VDOConfig ${config.metadata.name} names VsphereCloudConfig ${name}, which does not exist in ${config.metadata.namespace}`,
        remedy: 'Correct the VDOConfig, or write the resource anew with vdoctl configure.',
      });
    });
};

const vcenterOf = ({ spec }: FormerVCenter, secretName: string): VSphereDriversSpecInput['vcenters'][number] => {
  const { vcIp: server, thumbprint, insecure, datacenters = [] } = spec;
  const tls = thumbprint ? { thumbprints: [thumbprint] } : insecure ? { insecure: true } : undefined;
  return {
    server,
    credentialsSecret: secretName,
    ...(tls ? { tls } : {}),
    ...(datacenters.length > 0 ? { datacenters: [...datacenters] } : {}),
  };
};

const fileVolumesOf = ({ spec }: FormerConfig): FileVolumes | undefined => {
  const { vsanDataStoreUrl = [], netPermissions = [] } = spec.storageProvider?.fileVolumes ?? {};
  if (vsanDataStoreUrl.length === 0 && netPermissions.length === 0) return undefined;
  return {
    ...(vsanDataStoreUrl.length > 0 ? { datastoreUrls: [...vsanDataStoreUrl] } : {}),
    ...(netPermissions.length > 0
      ? {
          netPermissions: netPermissions.map(({ ips, permissions: allowed, rootSquash = false }) => ({
            ips,
            // Left out, the driver of that time let everybody read and write, root as root.
            permissions: permissions[(allowed ?? 'READ_WRITE') as Permission] ?? 'ReadWrite',
            rootSquash,
          })),
        }
      : {}),
  };
};

const notesOf = (used: readonly FormerVCenter[], clusterId: string, hasFileVolumes: boolean): readonly string[] => [
  ...used
    .filter(({ spec }) => !spec.thumbprint && !spec.insecure)
    .map(
      ({ spec: { vcIp } }) =>
        `certificate of vCenter ${vcIp}: upstream VDO never looked at it. If no public authority signed it, the operator says so, and its fingerprint goes into tls.thumbprints`,
    ),
  ...(used.some(({ spec }) => spec.vcIp === clusterId)
    ? [
        `cluster id ${clusterId}: upstream VDO gave it to every cluster of that vCenter. It is kept, because the volumes are registered under it; see storage/cluster-id-unique if there are several`,
      ]
    : []),
  ...(hasFileVolumes
    ? [
        'root squash of file volumes: taken as it is in the resource; the wizard of upstream VDO wrote the opposite of the answer',
      ]
    : []),
];

/** The resource that stands for the kinds of upstream VDO. Pure. */
export const specOfFormer = (
  facts: FormerFacts,
  options: { readonly distribution: 'Native' | 'Upstream'; readonly secretName: string },
): FormerSpec => {
  const config = onlyConfig(facts);
  const { cloudProvider, storageProvider } = config.spec;
  const used = usedVCenters(config, facts);
  const storage = used.find(({ metadata }) => metadata.name === storageProvider?.vsphereCloudConfig);
  const clusterId = facts.clusterId ?? storage?.spec.vcIp ?? '';
  const fileVolumes = fileVolumesOf(config);
  const { zone, region } = cloudProvider?.topology ?? {};
  const kubeletPath = storageProvider?.customKubeletPath;
  const clusterDistribution = storageProvider?.clusterDistribution;
  return {
    spec: {
      distribution: options.distribution,
      vcenters: used.map((one) => vcenterOf(one, options.secretName)),
      ...((cloudProvider?.vsphereCloudConfigs ?? []).length > 0 ? { cpi: {} } : {}),
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
    notes: notesOf(used, clusterId, fileVolumes !== undefined),
  };
};
