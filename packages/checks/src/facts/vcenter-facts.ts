import type { VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { AccountLookup } from '@vdo/config/credentials';
import type { DatastoreHealth, HostHealth, SessionHealth, TagOnObject } from '@vdo/vsphere/health/health-reader';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import type { FileCluster } from '@vdo/vsphere/inventory/file-services';
import type { UnreadableValue } from '@vdo/vsphere/session/unreadable-values';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Reading } from './reading.ts';
import type { RequiredRole } from './required-role.ts';
import type { VolumeFacts } from './volume-facts.ts';

/** A range of versions, ends inclusive, and the position of a product's version relative to it. */
export interface Support {
  readonly min: string;
  readonly max: string;
  /** `untried`: the vCenter is older than any release supports, and is used with a warning. */
  readonly verdict: 'inside' | 'too-old' | 'too-new' | 'unreadable' | 'untried';
}

/** The Secret of one vCenter. */
export interface SecretFacts {
  readonly namespace: string;
  readonly exists: boolean;
  /** Its content for this vCenter; absent if the Secret does not exist. */
  readonly lookup?: AccountLookup;
  /** Why it could not be read. */
  readonly readError?: VdoError;
  /** Whether the drivers use the same account; absent if they have none yet. */
  readonly inUse?: 'same' | 'differs';
  /** The Secret from which the drivers read it, with its namespace; if they differ, the Secret with the old account. */
  readonly copy?: string;
}

export interface CertificateFacts {
  readonly subject: string;
  readonly sha256: string;
  /** In milliseconds since 1970. */
  readonly validToMs: number;
}

/** The missing privileges of the account, per object on which a role is needed. */
export interface RoleFacts {
  readonly role: RequiredRole;
  readonly objects: readonly { readonly ref: MoRef; readonly path: string }[];
  /** By `morefKey`; objects without missing privileges are absent. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

export interface PrivilegeFacts {
  readonly roles: readonly RoleFacts[];
  /** Powerful privileges at the root that the drivers do not need. */
  readonly excess: readonly string[];
  /** Objects whose parent the account cannot read, although they are not the root. */
  readonly dead: readonly { readonly ref: MoRef; readonly name: string; readonly vms: readonly string[] }[];
}

/** Where the node VMs of this vCenter run. */
export interface PlaceFacts {
  /** By `morefKey`. */
  readonly hosts: ReadonlyMap<string, HostHealth>;
  /** The support for the version of each host, by `morefKey`; absent if no release was chosen. */
  readonly support: ReadonlyMap<string, Support>;
  /** All datastores that the hosts mount; absent if storage was not read. */
  readonly datastores?: readonly DatastoreHealth[];
}

export interface TopologyFacts {
  readonly ancestors: Ancestors;
  /** By `morefKey`. */
  readonly tags: ReadonlyMap<string, readonly TagOnObject[]>;
  /** The configured categories that do not exist. */
  readonly missingCategories: readonly string[];
}

/** A storage policy that a StorageClass names. */
export interface PolicyFacts {
  readonly name: string;
  readonly classes: readonly string[];
  readonly exists: boolean;
  /** Names of the shared datastores that satisfy it. */
  readonly compatible: readonly string[];
  /** Name of each other shared datastore → why it does not. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** What was observed of one vCenter, and its configuration. */
export interface VCenterFacts {
  /** The server name in the facts of its VMs. */
  readonly server: string;
  readonly spec: VCenterSpec;
  readonly secret: SecretFacts;
  /** The version information that it reports without a login. */
  readonly about?: AboutInfo;
  /** Why it could not be reached. */
  readonly reachError?: VdoError;
  /** The vSphere range of the chosen releases; absent if no release was chosen. */
  readonly support?: Support;
  /** Whether a login succeeded: `true`, the error, or absent if none was attempted. */
  readonly login?: true | VdoError;
  readonly lockout?: {
    /** Logins rejected within the last 180 seconds, for all programs of VDO. */
    readonly recentRejections: number;
    /** No login is attempted until this time, in milliseconds since 1970. */
    readonly suspendedUntilMs?: number;
  };
  /** Undefined value: the server presented none. */
  readonly certificate?: Reading<CertificateFacts | undefined>;
  /** How far the vCenter's clock is ahead of ours. */
  readonly clockSkewMs?: Reading<number>;
  /** How long it takes to answer the simplest call. */
  readonly latencyMs?: number;
  /** Sessions of the account; undefined value: it has no privilege to list them. */
  readonly sessions?: Reading<readonly SessionHealth[] | undefined>;
  /** Unreadable values in its recent replies; absent if there was no login. */
  readonly unreadable?: readonly UnreadableValue[];
  /** Why node VMs could not be searched here, although the login worked. */
  readonly searchError?: VdoError;
  readonly privileges?: Reading<PrivilegeFacts>;
  readonly places?: Reading<PlaceFacts>;
  /** The ancestors of the node VMs, if a group needed them and they could be read. */
  readonly ancestors?: Ancestors;
  readonly topology?: Reading<TopologyFacts>;
  /** Names of the segments in which a tag prefers a datastore, by `morefKey`. Absent without topology. */
  readonly preferred?: Reading<ReadonlyMap<string, readonly string[]>>;
  /** The clusters of the vSAN datastores that the nodes share. Absent without file volumes. */
  readonly fileClusters?: Reading<readonly FileCluster[]>;
  readonly policies?: Reading<readonly PolicyFacts[]>;
  /** Container volumes registered under the ID of this cluster. */
  readonly volumes?: Reading<VolumeFacts>;
}
