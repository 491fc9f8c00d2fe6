import type { VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { AccountLookup } from '@vdo/config/credentials';
import type { Node } from '@vdo/kube/types/core';
import type { NodeResolution } from '@vdo/vsphere/inventory/node-inventory';
import type { AboutInfo } from '@vdo/vsphere/vcenter';

/** What was observed of one vCenter, and with which configuration. */
export interface VCenterFacts {
  readonly spec: VCenterSpec;
  /** What it told about itself before any login. */
  readonly about?: AboutInfo;
  /** Why it could not be asked. */
  readonly reachError?: VdoError;
  /** The vSphere range of the chosen releases, and where this vCenter lies; absent if no release was chosen. */
  readonly support?: {
    readonly min: string;
    readonly max: string;
    readonly verdict: 'inside' | 'too-old' | 'too-new' | 'unreadable';
  };
  /** Whether a login worked: `true`, the error, or absent if none was tried. */
  readonly login?: true | VdoError;
  readonly lockout?: {
    /** Rejected logins of the last 180 seconds, by all programs of VDO. */
    readonly recentRejections: number;
    /** Until when no login is tried, in milliseconds since 1970. */
    readonly suspendedUntilMs?: number;
  };
  readonly secret: SecretFacts;
}

/** The Secret of one vCenter. */
export interface SecretFacts {
  readonly namespace: string;
  readonly exists: boolean;
  /** What it holds for this vCenter; absent if it does not exist. */
  readonly lookup?: AccountLookup;
}

export interface NodeFacts {
  readonly node: Node;
  /** What the vCenters say about its VM; absent if they could not all be asked. */
  readonly resolution?: NodeResolution;
}

/** Everything the checks look at, gathered in few calls by whoever runs them. */
export interface ClusterFacts {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether the spec asks for a cloud controller manager. */
  readonly hasCpi: boolean;
  readonly vcenters: readonly VCenterFacts[];
  readonly nodes: readonly NodeFacts[];
}
