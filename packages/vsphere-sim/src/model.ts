/** Category name → tag name, for one object. */
export type TagModel = Readonly<Record<string, string>>;

export interface NicModel {
  /** The name of a network of the datacenter. */
  readonly network: string;
  readonly ips: readonly string[];
  /** Default: generated from the seed. */
  readonly mac?: string;
  /** A device inside the guest (docker0, a CNI bridge): vCenter reports it with deviceConfigId −1 and no network. */
  readonly insideGuest?: boolean;
}

export interface VmModel {
  readonly name: string;
  /** A host of the datacenter. Default: hosts in turn. */
  readonly host?: string;
  /** Below the datacenter's `vm` folder: `k8s/workers`. Default: directly in it. */
  readonly folder?: string;
  /** A resource pool of the host's cluster. Default: the cluster's own. */
  readonly resourcePool?: string;
  /** A vApp of the host's cluster. Such a VM is in no folder. */
  readonly vApp?: string;
  /** Default: the first one that the host mounts. */
  readonly datastore?: string;
  /** BIOS UUID. Default: generated from the seed. */
  readonly uuid?: string;
  readonly instanceUuid?: string;
  /** The host name that the guest reports. Default: the VM's name. */
  readonly guestHostName?: string;
  readonly nics?: readonly NicModel[];
  /** VMware Tools run in the guest. Default true. */
  readonly tools?: boolean;
  /** Default `poweredOn`. */
  readonly power?: 'poweredOn' | 'poweredOff' | 'suspended';
  readonly extraConfig?: Readonly<Record<string, string>>;
  /** Default 2. */
  readonly numCpu?: number;
  /** Default 4096. */
  readonly memoryMb?: number;
  /** Default `ubuntu64Guest`. */
  readonly guestId?: string;
  readonly template?: boolean;
  readonly tags?: TagModel;
}

export interface HostModel {
  readonly name: string;
  readonly maintenance?: boolean;
  /** Default `connected`. */
  readonly connection?: 'connected' | 'disconnected' | 'notResponding';
  readonly tags?: TagModel;
}

export interface ClusterModel {
  readonly name: string;
  /** Below the datacenter's `host` folder. */
  readonly folder?: string;
  readonly hosts: readonly HostModel[];
  /** Below the cluster's own pool; `/` nests. */
  readonly resourcePools?: readonly string[];
  /** vApps in the cluster's own pool, by name. */
  readonly vApps?: readonly string[];
  readonly tags?: TagModel;
}

export interface DatastoreModel {
  readonly name: string;
  readonly type: 'VMFS' | 'vsan' | 'NFS';
  /** Default 1024. */
  readonly capacityGb?: number;
  /** Default: all of it. */
  readonly freeGb?: number;
  /** Names of the hosts that mount it. Default: all of the datacenter. */
  readonly hosts?: readonly string[];
  /** Default true. */
  readonly accessible?: boolean;
  readonly maintenance?: boolean;
  /** Vmdks on it that are not volumes: `kubevols/a.vmdk`. */
  readonly disks?: readonly DiskModel[];
  readonly tags?: TagModel;
}

export interface DiskModel {
  readonly path: string;
  readonly capacityMb: number;
}

export interface DatacenterModel {
  readonly name: string;
  /** Folders above it: `emea/prod`. */
  readonly folder?: string;
  readonly clusters: readonly ClusterModel[];
  /** Hosts outside clusters. */
  readonly hosts?: readonly HostModel[];
  readonly datastores: readonly DatastoreModel[];
  /** Names. Default `VM Network`. */
  readonly networks?: readonly string[];
  readonly vms: readonly VmModel[];
  readonly tags?: TagModel;
}

export interface UserModel {
  /** `user@domain`. */
  readonly username: string;
  readonly password: string;
  /** The password is correct but has expired: the login is refused. */
  readonly passwordExpired?: boolean;
  /** Of a solution user, instead of a password: base64 of the DER form. */
  readonly certificate?: string;
  /** `name@domain`. Members of `administrators@vsphere.local` manage accounts. */
  readonly groups?: readonly string[];
  readonly details?: {
    readonly description?: string | undefined;
    readonly emailAddress?: string | undefined;
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
  };
}

export interface RoleModel {
  readonly name: string;
  readonly privileges: readonly string[];
}

export interface PermissionModel {
  /** A user or a group, `name@domain`. */
  readonly principal: string;
  readonly group?: boolean;
  /** A role of the model or one of vCenter's own: `Admin`, `ReadOnly`, `NoAccess`. */
  readonly role: string;
  /** Inventory path, `/dc-1/vm/k8s`; `/` is the root folder. */
  readonly path: string;
  /** Default true. */
  readonly propagate?: boolean;
}

/** A storage policy, besides the vSAN default one. */
export interface PolicyModel {
  readonly name: string;
  /** Default: generated from the seed. */
  readonly id?: string;
  /** Names of the datastores that satisfy it. */
  readonly datastores: readonly string[];
}

/** A vCenter to simulate. All fields are optional, so a test sets only what it needs. */
export interface VSphereModel {
  /** Default `8.0.3`. */
  readonly version?: string;
  /** Default `24022515`. */
  readonly build?: string;
  readonly datacenters: readonly DatacenterModel[];
  /** Categories that no object uses yet; those in use exist anyway. */
  readonly tagCategories?: readonly string[];
  readonly policies?: readonly PolicyModel[];
  /** In addition to the administrator. */
  readonly users?: readonly UserModel[];
  readonly roles?: readonly RoleModel[];
  readonly permissions?: readonly PermissionModel[];
  /** Default `administrator@vsphere.local`, password `obviously-fake`. It has all privileges. */
  readonly administrator?: UserModel;
}
