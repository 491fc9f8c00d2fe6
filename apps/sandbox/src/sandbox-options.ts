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

/** Whose API server it is. */
export type ClusterChoice =
  /** Of this process; `snapshotFolder` keeps its objects. */
  | { readonly kind: 'embedded'; readonly snapshotFolder?: string }
  /** Real programs, as processes of this machine. */
  | { readonly kind: 'real'; readonly part: RealClusterOptions['part'] }
  /** Somebody else's. */
  | ({ readonly kind: 'outside' } & OutsideClusterChoice);

/** A vCenter that is somebody else's, with the VMs that are to be nodes. */
export interface OutsideVCenter {
  readonly host: string;
  readonly port: number;
  readonly tls: VCenterTrust;
  /** Which vCenter it is, whatever its name. */
  readonly instanceUuid: string;
  readonly account: Account;
  /** What is there, in a few words. */
  readonly summary: string;
  readonly nodes: readonly Omit<JoiningNode, 'hollow'>[];
  /** Values of the references of their VMs. */
  readonly vms: readonly string[];
}

export type VCenterChoice = { readonly kind: 'simulated' } | ({ readonly kind: 'outside' } & OutsideVCenter);

export interface SandboxOptions {
  readonly nodeCount: number;
  /** What passwords of the drivers' account end with, for who wants to see odd ones. Default: nothing. */
  readonly passwordEnd?: string | undefined;
  readonly stepTimeoutMs: number;
  /** 0: any free one. */
  readonly dashboardPort: number;
  readonly cluster: ClusterChoice;
  readonly vcenter: VCenterChoice;
  /** Where the folder of the sandbox is made. */
  readonly parentFolder: string;
  readonly operatorObjects: readonly AnyObject[];
  readonly namespace: string;
  /** Under which vCenter is to list the volumes. Default: one that the driver makes. */
  readonly clusterId?: string;
  readonly bundle: (app: string) => string;
  readonly env: Readonly<Record<string, string>>;
  /** Who runs this; 0 may have real disks. */
  readonly uid: number;
  /** What is undone if the process exits before `stop` has finished. */
  readonly atExit: AtExit;
  /** The account that counts has changed. */
  readonly onAccount: (account: Account) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly progress: SandboxProgress;
  /** Ends the start; a started one is ended by `stop`. */
  readonly signal: AbortSignal;
}

/** A running sandbox. */
export interface Sandbox {
  readonly folder: string;
  readonly kube: KubeClient;
  readonly kubeconfig: string;
  /** Of the kubeconfig of somebody else. */
  readonly context?: string;
  readonly server: string;
  /** `administrator`: who may do everything on the simulated one. */
  readonly vcenter: { readonly url: string; readonly isSimulated: boolean; readonly administrator?: Account } & Account;
  readonly dashboard: string;
  /** Where faults are asked for, and who may. */
  readonly control: { readonly url: string; readonly token: string };
  /** Installs everything, waits until it works, breaks what is to be broken, and counts the checks that fail. */
  bringUp(signal: AbortSignal, faults?: readonly string[]): Promise<number>;
  /** Removes the demo and the drivers as a user would, and from a cluster of somebody else everything. */
  takeDown(signal: AbortSignal): Promise<void>;
  /** The last lines of each program. */
  tailLogs(): Promise<readonly string[]>;
  /** Ends everything; nothing is left behind on this machine. */
  stop(): Promise<void>;
}
