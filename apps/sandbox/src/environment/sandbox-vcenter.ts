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

/** The vCenter that the sandbox works with. */
export interface SandboxVCenter {
  /** What is there, in a few words. */
  readonly summary: string;
  readonly host: string;
  readonly port: number;
  /** How the drivers trust it, as a VSphereDrivers says it. */
  readonly tls: VCenterTrust;
  readonly account: Account;
  readonly topology?: { readonly region: string; readonly zone: string };
  /** VMs that are to be nodes. */
  readonly nodes: readonly JoiningNode[];
  /** Absent if it is none of ours. */
  readonly simulated?: {
    readonly control: SimControl;
    readonly volumes: VSphereSim['volumes'];
    readonly administrator: Account;
    /** What it is asked. */
    readonly meter: CallMeter;
  };
  stop(): Promise<void>;
}
