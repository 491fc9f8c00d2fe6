import type { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Node } from '@vdo/kube/types/core';
import type { ScsiSlots, VmHealth } from '@vdo/vsphere/health/health-reader';
import type { NodeResolution } from '@vdo/vsphere/inventory/node-inventory';
import type { KubeFacts } from './facts/kube-facts.ts';
import type { Support, VCenterFacts } from './facts/vcenter-facts.ts';

export interface NodeFacts {
  readonly node: Node;
  /** The result of the search for its VM in the vCenters; absent if not all could be searched and none has it. */
  readonly resolution?: NodeResolution;
  /** Absent if the VM was not found or has just been removed. */
  readonly vm?: VmHealth;
  readonly slots?: ScsiSlots;
  /** Where it was found if that is outside the configured datacenters. */
  readonly elsewhere?: { readonly server: string; readonly name: string; readonly datacenter: string };
}

/** A driver: the running release, or otherwise the one chosen for installation. */
export interface DriverReleaseFacts {
  readonly kind: 'CPI' | 'CSI';
  readonly distribution: 'Native' | 'Upstream';
  readonly version: string;
  readonly installed: boolean;
  /** The Kubernetes range of this release, and whether the cluster is inside; absent if the matrix does not list the release. */
  readonly kubernetes?: Support;
}

/** The compatibility matrix in use. */
export interface MatrixFacts {
  readonly serial: number;
  readonly source: string;
  readonly publishedMs: number;
  /** After this time it starts no upgrades. */
  readonly expiresMs?: number;
  /** `embedded`: it is part of the operator image and therefore trusted. */
  readonly signature: 'embedded' | 'trusted' | 'unsigned' | 'untrusted';
  /** Why the configured source was not used. */
  readonly refused?: VdoError;
}

export interface ReleaseFacts {
  readonly drivers: readonly DriverReleaseFacts[];
  readonly matrix?: MatrixFacts;
}

/** Everything the checks read, gathered in few calls by `gatherFacts`. */
export interface ClusterFacts {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly spec: VSphereDriversSpec;
  /** The namespace of the operator, the credentials and the native drivers. */
  readonly namespace: string;
  readonly vcenters: readonly VCenterFacts[];
  /** The same vCenters with the drivers' own accounts: the Secret, the login, the privileges of the account. */
  readonly accounts?: readonly VCenterFacts[];
  readonly nodes: readonly NodeFacts[];
  readonly kube: KubeFacts;
  readonly releases: ReleaseFacts;
}
