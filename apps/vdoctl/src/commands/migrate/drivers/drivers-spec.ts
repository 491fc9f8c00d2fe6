import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import type { AddressRules, CsiConfig, DriverConfig, VCenterConfig } from '@vdo/config/driver-config';
import { labelKeys } from '@vdo/config/names';
import { cpiAccount, mergeVCenters, splitNotes, splitServers, type VCenterUse } from '../engine/merge-vcenters.ts';
import type { DriversFacts } from './drivers-facts.ts';

export interface DriversSpec {
  readonly spec: VSphereDriversSpecInput;
  readonly notes: readonly string[];
}

type Csi = NonNullable<VSphereDriversSpecInput['csi']>;
type Cpi = NonNullable<VSphereDriversSpecInput['cpi']>;
type Topology = NonNullable<VSphereDriversSpecInput['topology']>;

const permissions = { READ_WRITE: 'ReadWrite', READ_ONLY: 'ReadOnly', NO_ACCESS: 'NoAccess' } as const;

const useOf =
  (caBundle: string | undefined) =>
  (vcenter: VCenterConfig): VCenterUse => ({
    server: vcenter.server,
    port: vcenter.port,
    thumbprints: vcenter.tls.thumbprints,
    ...(vcenter.tls.caFile !== undefined && caBundle !== undefined ? { caBundle } : {}),
    insecure: vcenter.tls.insecure,
    datacenters: vcenter.datacenters,
    ...(vcenter.migrationDatastoreUrl === undefined ? {} : { migrationDatastoreUrl: vcenter.migrationDatastoreUrl }),
  });

const sideOf = ({ subnets, network, exclude }: AddressRules) => ({
  ...(subnets.length > 0 ? { subnets: [...subnets] } : {}),
  ...(network === undefined ? {} : { network }),
  ...(exclude.length > 0 ? { exclude: [...exclude] } : {}),
});

const cpiOf = ({ nodes, vcenters }: DriverConfig): Cpi => {
  const families = vcenters[0]?.ipFamilies ?? ['ipv4'];
  const [internal, external] = [sideOf(nodes.internal), sideOf(nodes.external)];
  const addresses = {
    ...(families.join() === 'ipv4' ? {} : { families: families.map((one) => (one === 'ipv6' ? 'IPv6' : 'IPv4')) }),
    ...(Object.keys(internal).length > 0 ? { internal } : {}),
    ...(Object.keys(external).length > 0 ? { external } : {}),
  };
  return Object.keys(addresses).length > 0 ? { addresses: addresses as NonNullable<Cpi['addresses']> } : {};
};

const fileVolumesOf = (csi: CsiConfig, used: boolean): Csi['fileVolumes'] => {
  const { netPermissions, fileVolumeDatastoreUrls: urls, fileVolumeClusters: clusters } = csi;
  if (netPermissions.length + urls.length + clusters.length === 0 && !used) return undefined;
  return {
    ...(urls.length > 0 ? { datastoreUrls: [...urls] } : {}),
    ...(clusters.length > 0 ? { clusters: [...clusters] } : {}),
    ...(netPermissions.length > 0
      ? {
          netPermissions: netPermissions.map(({ ips, permissions: allowed, rootSquash }) => ({
            ips,
            permissions: permissions[allowed],
            rootSquash,
          })),
        }
      : {}),
  };
};

const csiOf = (
  csi: CsiConfig,
  { inTree, hasShares }: { readonly inTree: boolean; readonly hasShares: boolean },
): Csi => {
  const fileVolumes = fileVolumesOf(csi, hasShares);
  const { maxPerVolume, maxPerVolumeVsan, maxPerVolumeVvol } = csi.snapshots;
  const limits = {
    ...(maxPerVolume === 3 ? {} : { maxPerVolume }),
    ...(maxPerVolumeVsan === undefined ? {} : { maxPerVolumeVsan }),
    ...(maxPerVolumeVvol === undefined ? {} : { maxPerVolumeVvol }),
  };
  return {
    ...(csi.clusterId === undefined ? {} : { clusterId: csi.clusterId }),
    ...(csi.clusterDistribution === undefined ? {} : { clusterDistribution: csi.clusterDistribution }),
    ...(fileVolumes ? { fileVolumes } : {}),
    ...(Object.keys(limits).length > 0 ? { snapshots: limits } : {}),
    ...(inTree ? { inTreeMigration: true } : {}),
  };
};

const topologyOf = (cpi: DriverConfig | undefined, csi: DriverConfig | undefined): Topology | undefined => {
  const region = cpi?.labels.region ?? csi?.labels.region;
  const zone = cpi?.labels.zone ?? csi?.labels.zone;
  const categories = csi?.csi.topologyCategories ?? [];
  const isPlain = categories.every(({ name, label }) =>
    name === region ? label === labelKeys.region : name === zone && label === labelKeys.zone,
  );
  const topology = {
    ...(region === undefined ? {} : { region }),
    ...(zone === undefined ? {} : { zone }),
    ...(categories.length > 0 && !isPlain
      ? { categories: categories.map(({ name, label }) => ({ name, ...(label === undefined ? {} : { label }) })) }
      : {}),
  };
  return Object.keys(topology).length > 0 ? topology : undefined;
};

const notesOf = (facts: DriversFacts, caBundle: string | undefined, split: readonly string[], secretName: string) => {
  const found = [facts.cpi, facts.csi].flatMap((one) => one ?? []);
  const named = found.flatMap(({ config, source }) =>
    config.vcenters.flatMap(({ server, tls }) =>
      tls.caFile === undefined ? [] : [{ server, file: tls.caFile, source }],
    ),
  );
  return [
    ...found.map(({ source }) => `settings are read from ${source}`),
    ...(caBundle === undefined
      ? named.map(
          ({ server, file, source }) =>
            `${source} trusts vCenter ${server} with the CA file ${file}, which exists only in the pods: pass a copy with --ca-file`,
        )
      : []),
    ...splitNotes(secretName, split),
  ];
};

/** The resource for drivers that were installed with manifests or Helm. Pure. */
export const specOfDrivers = (
  facts: DriversFacts,
  options: {
    readonly distribution: 'Native' | 'Upstream';
    readonly secretName: string;
    readonly caBundle?: string;
    /** The driver serves volumes of the in-tree provider. */
    readonly inTree: boolean;
    /** There are file volumes. */
    readonly hasShares: boolean;
  },
): DriversSpec => {
  const { cpi, csi } = facts;
  if (!cpi && !csi)
    throw new VdoError({
      code: 'ConfigMissing',
      message:
        'no upstream vSphere driver was found in this cluster: neither the cloud controller manager nor the storage driver',
      remedy: 'Run vdoctl status to see what is installed. To install drivers, run vdoctl configure.',
    });
  const { distribution, secretName, caBundle } = options;
  const uses = [cpi, csi].flatMap((one) => one?.config.vcenters.map(useOf(caBundle)) ?? []);
  const vcenters = mergeVCenters(uses, secretName);
  const servers = vcenters.map(({ server }) => server);
  const split = splitServers(servers, { cpi: cpi?.accounts ?? new Map(), csi: csi?.accounts ?? new Map() });
  const topology = topologyOf(cpi?.config, csi?.config);
  return {
    spec: {
      distribution,
      vcenters,
      ...(cpi ? { cpi: { ...cpiOf(cpi.config), ...cpiAccount(secretName, split) } } : {}),
      ...(csi ? { csi: csiOf(csi.config.csi, options) } : {}),
      ...(topology ? { topology } : {}),
    },
    notes: notesOf(facts, caBundle, split, secretName),
  };
};
