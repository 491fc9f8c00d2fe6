import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Account } from './account.ts';
import type { JoiningNode } from './environment/join-nodes.ts';
import type { OutsideClusterChoice } from './environment/outside-cluster.ts';
import type { RealClusterOptions } from './environment/real-cluster.ts';
import type { VCenterTrust } from './environment/sandbox-vcenter.ts';
import type { AtExit } from './processes/exit-stack.ts';
import type { SandboxProgress } from './up/progress.ts';

/** The API server to use. */
export type ClusterChoice =
  /** In this process; `snapshotFolder` saves its objects. */
  | { readonly kind: 'embedded'; readonly snapshotFolder?: string }
  /** Real programs, as processes of this machine. */
  | { readonly kind: 'real'; readonly part: RealClusterOptions['part'] }
  /** An external cluster. */
  | ({ readonly kind: 'outside' } & OutsideClusterChoice);

/** An external vCenter, with the VMs that become nodes. */
export interface OutsideVCenter {
  readonly host: string;
  readonly port: number;
  readonly tls: VCenterTrust;
  /** Instance UUID of the vCenter, which is independent of its address. */
  readonly instanceUuid: string;
  readonly account: Account;
  /** Short description of the inventory. */
  readonly summary: string;
  readonly nodes: readonly Omit<JoiningNode, 'hollow'>[];
  /** Managed object IDs of the VMs. */
  readonly vms: readonly string[];
}

export type VCenterChoice = { readonly kind: 'simulated' } | ({ readonly kind: 'outside' } & OutsideVCenter);

export interface SandboxOptions {
  readonly nodeCount: number;
  /** Suffix of the passwords of the drivers' account, to test special characters. Default: nothing. */
  readonly passwordEnd?: string | undefined;
  readonly stepTimeoutMs: number;
  /** 0: any free port. */
  readonly dashboardPort: number;
  readonly cluster: ClusterChoice;
  readonly vcenter: VCenterChoice;
  /** Parent folder of the sandbox folder. */
  readonly parentFolder: string;
  readonly operatorObjects: readonly AnyObject[];
  readonly namespace: string;
  /** Cluster ID of the volumes in vCenter. Default: created by the driver. */
  readonly clusterId?: string;
  readonly bundle: (app: string) => string;
  readonly env: Readonly<Record<string, string>>;
  /** User ID of this process; 0 can use real disks. */
  readonly uid: number;
  /** Cleanup that runs if the process exits before `stop` has finished. */
  readonly atExit: AtExit;
  /** Called when the password of the account has changed. */
  readonly onAccount: (account: Account) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly progress: SandboxProgress;
  /** Aborts the start; a running sandbox is stopped with `stop`. */
  readonly signal: AbortSignal;
}

/** A running sandbox. */
export interface Sandbox {
  readonly folder: string;
  readonly kube: KubeClient;
  readonly kubeconfig: string;
  /** Context in the external kubeconfig. */
  readonly context?: string;
  readonly server: string;
  /** `administrator`: the account with all privileges on the simulated vCenter. */
  readonly vcenter: { readonly url: string; readonly isSimulated: boolean; readonly administrator?: Account } & Account;
  readonly dashboard: string;
  /** The endpoint for faults, and its token. */
  readonly control: { readonly url: string; readonly token: string };
  /** Installs everything, waits until it works, injects the requested faults, and counts failing checks. */
  bringUp(signal: AbortSignal, faults?: readonly string[]): Promise<number>;
  /** Removes the demo and the drivers as a user would; from an external cluster, removes everything. */
  takeDown(signal: AbortSignal): Promise<void>;
  /** The last lines of each program's log. */
  tailLogs(): Promise<readonly string[]>;
  /** Stops everything; nothing is left on this machine. */
  stop(): Promise<void>;
}
