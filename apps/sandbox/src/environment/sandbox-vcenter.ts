import type { CallMeter } from '@vdo/dashboard/source/call-sampler';
import type { SimControl } from '@vdo/vsphere-sim/control';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { Account } from '../account.ts';
import type { JoiningNode } from './join-nodes.ts';

export interface VCenterTrust {
  readonly thumbprints?: readonly string[];
  readonly caBundle?: string;
  readonly insecure?: boolean;
}

/** The vCenter that the sandbox uses. */
export interface SandboxVCenter {
  /** Short description of the inventory. */
  readonly summary: string;
  readonly host: string;
  readonly port: number;
  /** Trust settings, as in VSphereDrivers. */
  readonly tls: VCenterTrust;
  readonly account: Account;
  readonly topology?: { readonly region: string; readonly zone: string };
  /** VMs that become nodes. */
  readonly nodes: readonly JoiningNode[];
  /** Absent if it is not simulated. */
  readonly simulated?: {
    readonly control: SimControl;
    readonly volumes: VSphereSim['volumes'];
    readonly administrator: Account;
    /** The requests to it. */
    readonly meter: CallMeter;
  };
  stop(): Promise<void>;
}
