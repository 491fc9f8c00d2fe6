import type { CsiSpec } from './api/csi-spec.ts';
import type { VCenterSpec } from './api/vcenter-spec.ts';
import type { VSphereDriversSpec } from './api/vsphere-drivers.ts';
import {
  type AddressRules,
  type CsiConfig,
  type DriverConfig,
  defaultCsiConfig,
  defaultSoapRoundtripCount,
  type IpFamily,
  type NetPermissionKind,
  noAddressRules,
  type TopologyCategory,
  type VCenterConfig,
} from './driver-config.ts';
import { parseDurationMs } from './duration.ts';
import { labelKeys, names, topologyLabelPrefix } from './names.ts';

export interface FromSpecOptions {
  /** The Secret with the accounts of all vCenters, as the operator writes it. */
  readonly secret: { readonly namespace: string; readonly name: string };
  /** Folder where the drivers find `<server>.ca.pem`, without slash at the end. Default `/etc/cloud`. */
  readonly caFolder?: string;
  /** The ID that was generated for this cluster, used unless the spec sets one. */
  readonly clusterId?: string;
}

/** File (and ConfigMap key) with the certificate authorities of a vCenter. */
export const caFileName = (server: string): string => `${server.replace(/[^-._a-zA-Z0-9]/g, '-')}.ca.pem`;

const permissions: Readonly<Record<string, NetPermissionKind>> = {
  ReadWrite: 'READ_WRITE',
  ReadOnly: 'READ_ONLY',
  NoAccess: 'NO_ACCESS',
};

const categoriesOf = ({ topology }: VSphereDriversSpec): readonly TopologyCategory[] => {
  if (!topology) return [];
  if (topology.categories.length > 0) {
    return topology.categories.map(({ name, label }) => ({ name, ...(label === undefined ? {} : { label }) }));
  }
  // The cloud controller manager sets these labels on the nodes, so the storage driver uses them.
  const region = topology.region;
  const zone = topology.zone;
  return [
    ...(region === undefined ? [] : [{ name: region, label: labelKeys.region }]),
    ...(zone === undefined ? [] : [{ name: zone, label: labelKeys.zone }]),
  ];
};

/** The node labels for the topology, in the order of the categories. */
export const topologyLabelsOf = (spec: VSphereDriversSpec): readonly string[] =>
  categoriesOf(spec).map(({ name, label }) => label ?? `${topologyLabelPrefix}${name}`);

/** Entries of the file have names of their own, even if several vCenters share a host. */
const entryName = ({ name, server, port }: VCenterSpec, all: readonly VCenterSpec[]): string => {
  if (name !== undefined) return name;
  const shared = all.some((other) => other.server === server && other.port !== port);
  return shared ? `${server}:${port}` : server;
};

const vcenterOf = (
  vcenter: VCenterSpec,
  options: FromSpecOptions & { readonly ipFamilies: readonly IpFamily[]; readonly name: string },
): VCenterConfig => {
  const { tls, migrationDatastoreUrl } = vcenter;
  const folder = options.caFolder ?? names.configFolder;
  return {
    name: options.name,
    server: vcenter.server,
    port: vcenter.port,
    tls: {
      thumbprints: tls.thumbprints,
      ...(tls.caBundle === undefined ? {} : { caFile: `${folder}/${caFileName(vcenter.server)}` }),
      insecure: tls.insecure,
    },
    datacenters: vcenter.datacenters,
    soapRoundtripCount: defaultSoapRoundtripCount,
    ipFamilies: options.ipFamilies,
    credentials: { kind: 'secret', ...options.secret },
    ...(migrationDatastoreUrl === undefined ? {} : { migrationDatastoreUrl }),
  };
};

/** Whole minutes, at least one, as the file has them. */
const minutesOf = (duration: string | undefined): number | undefined => {
  const ms = duration === undefined ? undefined : parseDurationMs(duration);
  return ms === undefined ? undefined : Math.max(1, Math.ceil(ms / 60_000));
};

const csiOf = (spec: VSphereDriversSpec, csi: CsiSpec, options: FromSpecOptions): CsiConfig => {
  const clusterId = csi.clusterId ?? options.clusterId;
  const { queryLimit, listVolumeThreshold, fullSyncInterval, preferredDatastoresInterval } =
    spec.advanced.volumes ?? {};
  const { maxPerVolume, maxPerVolumeVsan, maxPerVolumeVvol } = csi.snapshots ?? defaultCsiConfig.snapshots;
  const fullSyncIntervalMinutes = minutesOf(fullSyncInterval);
  const preferredDatastoresIntervalMinutes = minutesOf(preferredDatastoresInterval);
  return {
    ...defaultCsiConfig,
    ...(clusterId === undefined ? {} : { clusterId }),
    ...(csi.clusterDistribution === undefined ? {} : { clusterDistribution: csi.clusterDistribution }),
    ...(queryLimit === undefined ? {} : { queryLimit }),
    ...(listVolumeThreshold === undefined ? {} : { listVolumeThreshold }),
    ...(fullSyncIntervalMinutes === undefined ? {} : { fullSyncIntervalMinutes }),
    ...(preferredDatastoresIntervalMinutes === undefined ? {} : { preferredDatastoresIntervalMinutes }),
    topologyCategories: categoriesOf(spec),
    netPermissions: (csi.fileVolumes?.netPermissions ?? []).map((entry, index) => ({
      name: String(index),
      ips: entry.ips,
      permissions: permissions[entry.permissions] ?? 'READ_WRITE',
      rootSquash: entry.rootSquash,
    })),
    fileVolumes: csi.fileVolumes !== undefined,
    fileVolumeDatastoreUrls: csi.fileVolumes?.datastoreUrls ?? [],
    fileVolumeClusters: csi.fileVolumes?.clusters ?? [],
    snapshots: {
      maxPerVolume,
      ...(maxPerVolumeVsan === undefined ? {} : { maxPerVolumeVsan }),
      ...(maxPerVolumeVvol === undefined ? {} : { maxPerVolumeVvol }),
    },
    inTreeMigration: csi.inTreeMigration,
  };
};

/** The configuration that the operator writes for both drivers. It contains no account, only the name of the Secret. */
export const driverConfigFromSpec = (spec: VSphereDriversSpec, options: FromSpecOptions): DriverConfig => {
  const addresses = spec.cpi?.addresses;
  const families = (addresses?.families ?? ['IPv4']).map((family): IpFamily => (family === 'IPv6' ? 'ipv6' : 'ipv4'));
  const rules = (side: 'internal' | 'external'): AddressRules => {
    const own = addresses?.[side];
    if (!own) return noAddressRules;
    const network = own.network === undefined ? {} : { network: own.network };
    return { subnets: own.subnets, ...network, exclude: own.exclude };
  };
  const region = spec.topology?.region;
  const zone = spec.topology?.zone;
  return {
    vcenters: spec.vcenters.map((vcenter) =>
      vcenterOf(vcenter, { ...options, ipFamilies: families, name: entryName(vcenter, spec.vcenters) }),
    ),
    labels: { ...(region === undefined ? {} : { region }), ...(zone === undefined ? {} : { zone }) },
    nodes: { internal: rules('internal'), external: rules('external') },
    csi: spec.csi ? csiOf(spec, spec.csi, options) : defaultCsiConfig,
  };
};
