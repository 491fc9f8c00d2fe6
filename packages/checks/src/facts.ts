import type { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Node } from '@vdo/kube/types/core';
import type { ScsiSlots, VmHealth } from '@vdo/vsphere/health/health-reader';
import type { NodeResolution } from '@vdo/vsphere/inventory/node-inventory';
import type { KubeFacts } from './facts/kube-facts.ts';
import type { Support, VCenterFacts } from './facts/vcenter-facts.ts';

export interface NodeFacts {
  readonly node: Node;
  /** What the vCenters say about its VM; absent if they could not all be asked and none has it. */
  readonly resolution?: NodeResolution;
  /** Absent if it was not found or has just vanished. */
  readonly vm?: VmHealth;
  readonly slots?: ScsiSlots;
  /** Where it was found outside the configured datacenters. */
  readonly elsewhere?: { readonly server: string; readonly name: string; readonly datacenter: string };
}

/** A driver: the release that runs, or else the one chosen to be installed. */
export interface DriverReleaseFacts {
  readonly kind: 'CPI' | 'CSI';
  readonly distribution: 'Native' | 'Upstream';
  readonly version: string;
  readonly installed: boolean;
  /** The Kubernetes range of this release, and where the cluster lies; absent if the matrix does not list it. */
  readonly kubernetes?: Support;
}

/** The compatibility matrix in use. */
export interface MatrixFacts {
  readonly serial: number;
  readonly source: string;
  readonly publishedMs: number;
  /** From then on it is no reason to upgrade. */
  readonly expiresMs?: number;
  /** `embedded`: it came with the operator, whose image vouches for it. */
  readonly signature: 'embedded' | 'trusted' | 'unsigned' | 'untrusted';
  /** Why the configured source was not taken. */
  readonly refused?: VdoError;
}

export interface ReleaseFacts {
  readonly drivers: readonly DriverReleaseFacts[];
  readonly matrix?: MatrixFacts;
}

/** Everything the checks look at, gathered in few calls by `gatherFacts`. */
export interface ClusterFacts {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly spec: VSphereDriversSpec;
  /** Of the operator, the credentials and the native drivers. */
  readonly namespace: string;
  readonly vcenters: readonly VCenterFacts[];
  /** The same vCenters seen with the accounts that drivers have for themselves: the Secret, the login, what the account may do. */
  readonly accounts?: readonly VCenterFacts[];
  readonly nodes: readonly NodeFacts[];
  readonly kube: KubeFacts;
  readonly releases: ReleaseFacts;
}
