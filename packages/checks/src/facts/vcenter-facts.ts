import type { VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { AccountLookup } from '@vdo/config/credentials';
import type { DatastoreHealth, HostHealth, SessionHealth, TagOnObject } from '@vdo/vsphere/health/health-reader';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import type { UnreadableValue } from '@vdo/vsphere/session/unreadable-values';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Reading } from './reading.ts';
import type { RequiredRole } from './required-role.ts';
import type { VolumeFacts } from './volume-facts.ts';

/** A range of versions, ends inclusive, and where a product lies. */
export interface Support {
  readonly min: string;
  readonly max: string;
  /** `untried`: of a vCenter that is older than any release is made for and is used all the same, with a warning. */
  readonly verdict: 'inside' | 'too-old' | 'too-new' | 'unreadable' | 'untried';
}

/** The Secret of one vCenter. */
export interface SecretFacts {
  readonly namespace: string;
  readonly exists: boolean;
  /** What it holds for this vCenter; absent if it does not exist. */
  readonly lookup?: AccountLookup;
  /** Why it could not be read. */
  readonly readError?: VdoError;
  /** Whether the drivers have the same account; absent if they have none yet. */
  readonly inUse?: 'same' | 'differs';
  /** The Secret from which they read it, with its namespace; that with the former account where they differ. */
  readonly copy?: string;
}

export interface CertificateFacts {
  readonly subject: string;
  readonly sha256: string;
  /** In milliseconds since 1970. */
  readonly validToMs: number;
}

/** What the account lacks where a role is needed. */
export interface RoleFacts {
  readonly role: RequiredRole;
  readonly objects: readonly { readonly ref: MoRef; readonly path: string }[];
  /** By `morefKey`; objects that lack nothing are absent. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

export interface PrivilegeFacts {
  readonly roles: readonly RoleFacts[];
  /** Powerful privileges at the root that nothing needs. */
  readonly excess: readonly string[];
  /** Objects above which the account sees nothing, though the root is not reached. */
  readonly dead: readonly { readonly ref: MoRef; readonly name: string; readonly vms: readonly string[] }[];
}

/** Where the node VMs of this vCenter run. */
export interface PlaceFacts {
  /** By `morefKey`. */
  readonly hosts: ReadonlyMap<string, HostHealth>;
  /** What the hosts are supported by; absent if no release was chosen. By `morefKey`. */
  readonly support: ReadonlyMap<string, Support>;
  /** Every datastore that one of the hosts mounts; absent if storage was not looked at. */
  readonly datastores?: readonly DatastoreHealth[];
}

export interface TopologyFacts {
  readonly ancestors: Ancestors;
  /** By `morefKey`. */
  readonly tags: ReadonlyMap<string, readonly TagOnObject[]>;
  /** Of the configured categories, those that do not exist. */
  readonly missingCategories: readonly string[];
}

/** A storage policy that a StorageClass names. */
export interface PolicyFacts {
  readonly name: string;
  readonly classes: readonly string[];
  readonly exists: boolean;
  /** Names of the datastores that satisfy it, of those the nodes share. */
  readonly compatible: readonly string[];
  /** Name of each other datastore → why not. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** What was observed of one vCenter, and with which configuration. */
export interface VCenterFacts {
  /** What the facts of its VMs name as their server. */
  readonly server: string;
  readonly spec: VCenterSpec;
  readonly secret: SecretFacts;
  /** What it told about itself before any login. */
  readonly about?: AboutInfo;
  /** Why it could not be asked. */
  readonly reachError?: VdoError;
  /** The vSphere range of the chosen releases; absent if no release was chosen. */
  readonly support?: Support;
  /** Whether a login worked: `true`, the error, or absent if none was tried. */
  readonly login?: true | VdoError;
  readonly lockout?: {
    /** Rejected logins of the last 180 seconds, by all programs of VDO. */
    readonly recentRejections: number;
    /** Until when no login is tried, in milliseconds since 1970. */
    readonly suspendedUntilMs?: number;
  };
  /** Undefined value: the server showed none. */
  readonly certificate?: Reading<CertificateFacts | undefined>;
  /** How far the vCenter's clock is ahead of ours. */
  readonly clockSkewMs?: Reading<number>;
  /** How long it takes to answer the simplest call. */
  readonly latencyMs?: number;
  /** Sessions of the account; undefined value: it may not list them. */
  readonly sessions?: Reading<readonly SessionHealth[] | undefined>;
  /** What it sent of late that cannot be read; absent if nobody was logged in. */
  readonly unreadable?: readonly UnreadableValue[];
  /** Why node VMs could not be searched here, although the login worked. */
  readonly searchError?: VdoError;
  readonly privileges?: Reading<PrivilegeFacts>;
  readonly places?: Reading<PlaceFacts>;
  /** Everything above the node VMs, if a group needed it and it could be read. */
  readonly ancestors?: Ancestors;
  readonly topology?: Reading<TopologyFacts>;
  readonly policies?: Reading<readonly PolicyFacts[]>;
  /** Container volumes registered under the id of this cluster. */
  readonly volumes?: Reading<VolumeFacts>;
}
