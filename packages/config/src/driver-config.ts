/** The source of a vCenter's account. */
export type CredentialsRef =
  /** A Secret read through the Kubernetes API; a change is used at once. */
  | { readonly kind: 'secret'; readonly namespace: string; readonly name: string }
  /** Files named like the keys of such a Secret. */
  | { readonly kind: 'directory'; readonly path: string }
  /** Written into the configuration file itself. Readers warn about it. */
  | { readonly kind: 'inline'; readonly username: string; readonly password: string };

export type IpFamily = 'ipv4' | 'ipv6';

export interface TlsConfig {
  /** SHA-1 or SHA-256, any notation. Empty: trust by certificate authority. */
  readonly thumbprints: readonly string[];
  /** Path of a PEM file. Absent: the certificate authorities of the system. */
  readonly caFile?: string;
  /** Accept any certificate. */
  readonly insecure: boolean;
}

export interface VCenterConfig {
  /** Name of the entry, which logs and metrics use for this vCenter. By default, the server. */
  readonly name: string;
  readonly server: string;
  readonly port: number;
  readonly tls: TlsConfig;
  /** Names, inventory paths or managed object IDs. Empty: all. */
  readonly datacenters: readonly string[];
  /** Maximum number of attempts of a SOAP call. */
  readonly soapRoundtripCount: number;
  /** Preferred family first. */
  readonly ipFamilies: readonly IpFamily[];
  readonly credentials: CredentialsRef;
  /** Datastore of in-tree volumes that name none. */
  readonly migrationDatastoreUrl?: string;
}

export interface AddressRules {
  /** CIDRs in order of preference. */
  readonly subnets: readonly string[];
  /** Name of a vSphere network; used if no subnet matches. */
  readonly network?: string;
  /** CIDRs whose addresses are never used. */
  readonly exclude: readonly string[];
}

export type NetPermissionKind = 'READ_WRITE' | 'READ_ONLY' | 'NO_ACCESS';

export interface NetPermission {
  readonly name: string;
  /** Address, range, CIDR or `*`. */
  readonly ips: string;
  readonly permissions: NetPermissionKind;
  readonly rootSquash: boolean;
}

export interface TopologyCategory {
  readonly name: string;
  /** Node label for the tag. Default: `topology.csi.vmware.com/<name>`. */
  readonly label?: string;
}

export interface CsiConfig {
  /** ID of this cluster in vCenter. Absent: the driver generates one and stores it in the cluster. */
  readonly clusterId?: string;
  /** Kubernetes distribution shown in vCenter. */
  readonly clusterDistribution?: string;
  /** Volumes per query. Default 10000. */
  readonly queryLimit: number;
  /** Default 50. */
  readonly listVolumeThreshold: number;
  /** Default 5. */
  readonly authCheckIntervalMinutes: number;
  /** Default 5. */
  readonly preferredDatastoresIntervalMinutes: number;
  /** Default 15. */
  readonly operationCleanupIntervalMinutes: number;
  /** Default 120. */
  readonly migrationCleanupIntervalMinutes: number;
  /** Default 30. */
  readonly fullSyncIntervalMinutes: number;
  /** At most 5; empty: no topology. */
  readonly topologyCategories: readonly TopologyCategory[];
  /** Empty: everybody may read and write, as with the Go driver. */
  readonly netPermissions: readonly NetPermission[];
  /** File volumes are enabled. Default true, as with the Go driver. */
  readonly fileVolumes: boolean;
  /** Datastores for file volumes; empty: any. */
  readonly fileVolumeDatastoreUrls: readonly string[];
  /** vSAN clusters that may hold file volumes, by name, inventory path or id; empty: any. */
  readonly fileVolumeClusters: readonly string[];
  readonly snapshots: {
    /** Default 3. */
    readonly maxPerVolume: number;
    readonly maxPerVolumeVsan?: number;
    readonly maxPerVolumeVvol?: number;
  };
  /** Default true: the vmdk paths of the in-tree provider are recognized. */
  readonly inTreeMigration: boolean;
}

/** Settings of the in-tree provider's file only. No program uses them; a migration reads them, and writers write them again. */
export interface InTreeConfig {
  /** Where the in-tree provider created disks and searched for VMs. */
  readonly workspace?: {
    readonly server?: string;
    readonly datacenter?: string;
    readonly folder?: string;
    readonly defaultDatastore?: string;
    readonly resourcePoolPath?: string;
  };
  /** `pvscsi`, `lsiLogic`, … */
  readonly scsiControllerType?: string;
  readonly publicNetwork?: string;
  /** Keys of `[Global]` in the oldest files. */
  readonly global?: {
    readonly datastore?: string;
    readonly workingDir?: string;
    readonly vmUuid?: string;
    readonly vmName?: string;
  };
}

/** The one model of driver configuration: every file format is converted to it and written from it. */
export interface DriverConfig {
  readonly vcenters: readonly VCenterConfig[];
  /** Tag categories that name region and zone of a node. */
  readonly labels: { readonly region?: string; readonly zone?: string };
  readonly nodes: { readonly internal: AddressRules; readonly external: AddressRules };
  readonly csi: CsiConfig;
  /** Absent unless the file is that of an in-tree provider. */
  readonly inTree?: InTreeConfig;
}

export const defaultPort = 443;
export const defaultSoapRoundtripCount = 3;
/** The credentials directory if a file names neither a Secret, a directory nor an account. */
export const defaultSecretsDirectory = '/etc/cloud/secrets';
export const noAddressRules: AddressRules = { subnets: [], exclude: [] };

export const defaultCsiConfig: CsiConfig = {
  queryLimit: 10_000,
  listVolumeThreshold: 50,
  authCheckIntervalMinutes: 5,
  preferredDatastoresIntervalMinutes: 5,
  operationCleanupIntervalMinutes: 15,
  migrationCleanupIntervalMinutes: 120,
  fullSyncIntervalMinutes: 30,
  topologyCategories: [],
  netPermissions: [],
  fileVolumes: true,
  fileVolumeDatastoreUrls: [],
  fileVolumeClusters: [],
  snapshots: { maxPerVolume: 3 },
  inTreeMigration: true,
};
