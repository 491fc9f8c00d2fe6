import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { createNodeDisks } from './disks/create-node-disks.ts';
import { clusterFaults } from './faults/cluster-faults.ts';
import { createFaultBoard } from './faults/fault-board.ts';
import { createFaultEndpoint } from './faults/fault-endpoint.ts';
import { vcenterFaults } from './faults/vcenter-faults.ts';
import { startDashboard } from './house/dashboard.ts';
import { type EmbeddedClusterOptions, startEmbeddedCluster } from './house/embedded-cluster.ts';
import { type RealClusterOptions, startRealCluster } from './house/real-cluster.ts';
import type { SandboxCluster } from './house/sandbox-cluster.ts';
import { startSandboxNodes } from './house/sandbox-nodes.ts';
import { startSimulatedVCenter } from './house/simulated-vcenter.ts';
import type { AtExit } from './processes/exit-stack.ts';
import { makeSandboxFolder } from './sandbox-folder.ts';
import { sweepFolder } from './sweep-folder.ts';
import { tailLogs } from './tail-logs.ts';
import { bringUp, secretName } from './up/bring-up.ts';
import type { SandboxProgress } from './up/progress.ts';
import { takeDown } from './up/take-down.ts';

export interface SandboxOptions {
  readonly nodeCount: number;
  readonly stepTimeoutMs: number;
  /** 0: any free one. */
  readonly dashboardPort: number;
  readonly cluster: ClusterChoice;
  /** Where the folder of the sandbox is made. */
  readonly parentFolder: string;
  readonly operatorObjects: readonly AnyObject[];
  readonly namespace: string;
  readonly bundle: (app: string) => string;
  readonly env: Readonly<Record<string, string>>;
  /** Who runs this; 0 may have real disks. */
  readonly uid: number;
  /** What is undone if the process exits before `stop` has finished. */
  readonly atExit: AtExit;
  /** The account that counts has changed. */
  readonly onAccount: (account: { readonly username: string; readonly password: string }) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly progress: SandboxProgress;
  /** Ends the start; a started one is ended by `stop`. */
  readonly signal: AbortSignal;
}

/** Whose API server it is. */
export type ClusterChoice =
  /** Of this process; `snapshotFolder` keeps its objects. */
  | { readonly kind: 'embedded'; readonly snapshotFolder?: string }
  /** Real programs, as processes of this machine. */
  | { readonly kind: 'real'; readonly part: RealClusterOptions['part'] };

/** A running sandbox. */
export interface Sandbox {
  readonly folder: string;
  readonly kube: KubeClient;
  readonly kubeconfig: string;
  readonly server: string;
  readonly vcenter: { readonly url: string; readonly username: string; readonly password: string };
  readonly dashboard: string;
  /** Where faults are asked for. */
  readonly control: string;
  /** Installs everything, and waits until it works. */
  bringUp(signal: AbortSignal): Promise<void>;
  /** Removes the demo and the drivers as a user would. */
  takeDown(signal: AbortSignal): Promise<void>;
  /** The last lines of each program. */
  tailLogs(): Promise<readonly string[]>;
  /** Ends everything; nothing is left behind. */
  stop(): Promise<void>;
}

const runChecks = 'vdo.vmware.com/run-checks';

const openCluster = (
  options: SandboxOptions,
  places: Omit<EmbeddedClusterOptions, 'snapshotFolder'>,
): Promise<SandboxCluster> => {
  const { cluster: choice, env, atExit, signal, stepTimeoutMs: timeoutMs } = options;
  return choice.kind === 'real'
    ? startRealCluster({ ...places, env, atExit, signal, timeoutMs, part: choice.part })
    : startEmbeddedCluster({ ...places, ...choice });
};

export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { clock, random, namespace, progress } = options;
  const common = { clock, random, logger: silentLogger };
  const ending: (() => Promise<unknown>)[] = [];
  // The last one started ends first; one that fails to end keeps nobody else running.
  const stop = async (): Promise<void> => {
    for (const end of ending.splice(0).reverse()) await end().catch(() => undefined);
  };
  try {
    const folder = await makeSandboxFolder(options.parentFolder);
    const forgetFolder = options.atExit(() => sweepFolder(folder.path));
    ending.push(async () => {
      await folder.remove();
      forgetFolder();
    });
    progress.update('Starting vCenter');
    const vcenter = await startSimulatedVCenter({ nodeCount: options.nodeCount, clock, random });
    ending.push(vcenter.stop);
    progress.done(`vCenter: ${vcenter.summary}`);
    progress.update('Starting Kubernetes');
    const logFolder = join(folder.path, 'logs');
    const cluster = await openCluster(options, { ...common, folder: folder.path, logFolder });
    ending.push(cluster.stop);
    const { kube } = cluster;
    progress.done(`Kubernetes ${await kube.serverVersion()}: ${cluster.kind}`);
    const uuids = new Map(vcenter.nodes.map(({ name, uuid }) => [name, uuid]));
    const disks =
      vcenter.simulated &&
      (await createNodeDisks({
        vsphere: vcenter.simulated,
        uuidOf: (name) => uuids.get(name) ?? '',
        folder: join(folder.path, 'machines'),
        path: options.env['PATH'] ?? '',
        uid: options.uid,
        clock,
      }));
    const hollow = new Set(vcenter.nodes.filter((node) => node.hollow).map(({ name }) => name));
    const nodes = await startSandboxNodes({
      ...common,
      cluster,
      ...(disks ? { disks } : {}),
      namespace,
      isHollow: (name) => hollow.has(name),
      folder: folder.path,
      logFolder,
      bundle: options.bundle,
      env: options.env,
      atExit: options.atExit,
    });
    ending.push(nodes.stop);
    const dashboard = await startDashboard({ cluster, port: options.dashboardPort, clock, random });
    ending.push(dashboard.stop);

    const usePassword = async (password: string): Promise<void> => {
      const { username } = vcenter.account;
      const stringData = { username, password };
      const metadata = { name: secretName, namespace };
      await kube.apply(
        secrets,
        { apiVersion: 'v1', kind: 'Secret', metadata, stringData },
        { fieldManager: 'vdo-sandbox', force: true },
      );
      await options.onAccount({ username, password });
    };
    const lookNow = async (): Promise<void> => {
      const body = { metadata: { annotations: { [runChecks]: random.uuid() } } };
      await kube.patch(vsphereDrivers, { name: vsphereDriversName }, { type: 'merge', body });
    };
    const faults = {
      ...clusterFaults(kube, namespace),
      ...(vcenter.simulated
        ? vcenterFaults({
            ...vcenter.simulated,
            nodeNames: vcenter.nodes.filter((node) => !node.hollow).map(({ name }) => name),
            username: vcenter.account.username,
            usePassword,
            random,
          })
        : {}),
    };
    const control = await serveHttp({ handler: createFaultEndpoint(createFaultBoard(faults, lookNow)), port: 0 });
    ending.push(control.close);
    const mounts =
      disks?.kind === 'simulated'
        ? 'mounts are simulated (folders instead of disks)'
        : 'mounts are real (loop devices)';
    return {
      folder: folder.path,
      kube,
      kubeconfig: cluster.kubeconfigPath,
      server: cluster.url,
      vcenter: { url: `https://${vcenter.host}:${vcenter.port}`, ...vcenter.account },
      dashboard: dashboard.url,
      control: control.url,
      bringUp: (signal) => bringUp({ ...options, cluster, vcenter, ownNodes: true, mounts, lookNow }, signal),
      takeDown: (signal) => {
        const volumes = vcenter.simulated?.volumes;
        const volumesLeft = volumes && (() => volumes.list().length);
        return takeDown({ ...options, kube, ...(volumesLeft ? { volumesLeft } : {}) }, signal);
      },
      tailLogs: () => tailLogs(logFolder),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
