import { join } from 'node:path';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import { attachmentsInCluster, attachmentsOfSim } from './disks/attachments.ts';
import { createNodeDisks } from './disks/create-node-disks.ts';
import { startDashboard } from './environment/dashboard.ts';
import { type EmbeddedClusterOptions, startEmbeddedCluster } from './environment/embedded-cluster.ts';
import { openOutsideCluster } from './environment/outside-cluster.ts';
import { startRealCluster } from './environment/real-cluster.ts';
import type { SandboxCluster } from './environment/sandbox-cluster.ts';
import { startSandboxNodes } from './environment/sandbox-nodes.ts';
import type { SandboxVCenter } from './environment/sandbox-vcenter.ts';
import { fullNodes, startSimulatedVCenter } from './environment/simulated-vcenter.ts';
import { clusterFaults } from './faults/cluster-faults.ts';
import { createFaultBoard } from './faults/fault-board.ts';
import { createFaultEndpoint } from './faults/fault-endpoint.ts';
import { vcenterFaults } from './faults/vcenter-faults.ts';
import { spawnBound } from './processes/spawn-bound.ts';
import { makeSandboxFolder } from './sandbox-folder.ts';
import type { Sandbox, SandboxOptions } from './sandbox-options.ts';
import { sweepFolder } from './sweep-folder.ts';
import { tailLogs } from './tail-logs.ts';
import { bringUp, secretName } from './up/bring-up.ts';
import { leaveCluster } from './up/leave-cluster.ts';
import { takeDown } from './up/take-down.ts';

const runChecks = annotationKeys.runChecks;
const operatorAccount = names.operator;
/** Interval between two polls of the attachments in an API server. */
const clusterPollMs = 500;

const openCluster = (
  options: SandboxOptions,
  places: Omit<EmbeddedClusterOptions, 'snapshotFolder'>,
): Promise<SandboxCluster> => {
  const { cluster: choice, env, atExit, signal, namespace, stepTimeoutMs: timeoutMs } = options;
  switch (choice.kind) {
    case 'real':
      return startRealCluster({ ...places, env, atExit, signal, timeoutMs, part: choice.part });
    case 'outside':
      return openOutsideCluster(choice, { ...places, namespace, signal });
    default:
      return startEmbeddedCluster({ ...places, ...choice });
  }
};

const openVCenter = async (options: SandboxOptions): Promise<SandboxVCenter> => {
  const { vcenter: choice, nodeCount, clock, random, passwordEnd } = options;
  if (choice.kind === 'simulated') return startSimulatedVCenter({ nodeCount, clock, random, passwordEnd });
  const nodes = choice.nodes.map((node, index) => ({ ...node, hollow: index >= fullNodes }));
  return { ...choice, nodes, stop: async () => undefined };
};

/** The operator as a process of this machine, with the permissions of its pod. */
const runOperator = async (
  { bundle, env, atExit, namespace }: SandboxOptions,
  cluster: SandboxCluster,
  logFolder: string,
): Promise<{ stop(): Promise<void> }> => {
  const kubeconfig = await cluster.accountConfig(namespace, operatorAccount);
  // The image is never pulled; nobody can own an image with this name.
  const args = [bundle('operator'), '--kubeconfig', kubeconfig, '--health-port', '0', '--registry', 'localhost'];
  return spawnBound(process.execPath, args, { env, atExit, logFile: join(logFolder, `${operatorAccount}.log`) });
};

const describeMounts = (kind: 'simulated' | 'real'): string =>
  kind === 'simulated' ? 'mounts are simulated (folders instead of disks)' : 'mounts are real (loop devices)';

/** How the cluster is informed about the account and requests to run the checks. */
const createHands = (options: SandboxOptions, kube: KubeClient, username: string) => ({
  usePassword: async (password: string): Promise<void> => {
    await kube.apply(
      secrets,
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: secretName, namespace: options.namespace },
        stringData: { username, password },
      },
      { fieldManager: 'vdo-sandbox', force: true },
    );
    await options.onAccount({ username, password });
  },
  refreshNow: async (): Promise<void> => {
    const body = { metadata: { annotations: { [runChecks]: options.random.uuid() } } };
    await kube.patch(vsphereDrivers, { name: vsphereDriversName }, { type: 'merge', body });
  },
});

export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { clock, random, namespace, progress } = options;
  const common = { clock, random, logger: silentLogger };
  const ending: (() => Promise<unknown>)[] = [];
  // The last one started stops first; a failure does not keep the others running.
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
    const vcenter = await openVCenter(options);
    ending.push(vcenter.stop);
    progress.done(`vCenter: ${vcenter.summary}`);
    progress.update('Starting Kubernetes');
    const logFolder = join(folder.path, 'logs');
    const cluster = await openCluster(options, { ...common, folder: folder.path, logFolder });
    ending.push(cluster.stop);
    const { kube } = cluster;
    progress.done(`Kubernetes ${await kube.serverVersion()}: ${cluster.kind}`);
    const ownNodes = cluster.outside?.hasNodes !== true;
    const uuids = new Map(vcenter.nodes.map(({ name, uuid }) => [name, uuid]));
    const disks = await createNodeDisks({
      attachments: vcenter.simulated ? attachmentsOfSim(vcenter.simulated) : attachmentsInCluster(kube),
      ...(vcenter.simulated ? {} : { pollMs: clusterPollMs }),
      uuidOf: (name) => uuids.get(name) ?? '',
      folder: join(folder.path, 'machines'),
      path: options.env['PATH'] ?? '',
      uid: options.uid,
      clock,
    });
    const made = new Set<string>();
    const hollow = new Set(vcenter.nodes.filter((node) => node.hollow).map(({ name }) => name));
    const beginNodes = () =>
      startSandboxNodes({
        ...common,
        cluster,
        disks,
        namespace,
        isHollow: (name) => hollow.has(name),
        nodeNames: [...uuids.keys()],
        made,
        folder: folder.path,
        logFolder,
        bundle: options.bundle,
        env: options.env,
        atExit: options.atExit,
      });
    let nodes = ownNodes ? await beginNodes() : undefined;
    ending.push(async () => nodes?.stop());
    const startOperator = async (): Promise<void> => {
      nodes = await runOperator(options, cluster, logFolder);
    };
    const dashboard = await startDashboard({
      cluster,
      meter: vcenter.simulated?.meter,
      port: options.dashboardPort,
      clock,
      random,
    });
    ending.push(dashboard.stop);

    const { usePassword, refreshNow } = createHands(options, kube, vcenter.account.username);
    const nodeNames = vcenter.nodes.filter((node) => !node.hollow).map(({ name }) => name);
    const faults = {
      ...clusterFaults(kube, { namespace, nodeNames: ownNodes ? nodeNames : [], clock, random }),
      ...(vcenter.simulated
        ? vcenterFaults({
            ...vcenter.simulated,
            nodeNames,
            username: vcenter.account.username,
            usePassword,
            passwordEnd: options.passwordEnd,
            random,
          })
        : {}),
    };
    const board = createFaultBoard(faults, refreshNow);
    const controlToken = random.uuid();
    const limits = { bodyBytes: 0, connections: 64 };
    const control = await serveHttp({ handler: createFaultEndpoint(board, controlToken), port: 0, limits });
    ending.push(control.close);
    const mounts = describeMounts(disks.kind);
    return {
      folder: folder.path,
      kube,
      kubeconfig: cluster.kubeconfigPath,
      ...(cluster.outside?.context === undefined ? {} : { context: cluster.outside.context }),
      server: cluster.url,
      vcenter: {
        url: `https://${vcenter.host}:${vcenter.port}`,
        isSimulated: vcenter.simulated !== undefined,
        ...vcenter.account,
        ...(vcenter.simulated ? { administrator: vcenter.simulated.administrator } : {}),
      },
      dashboard: dashboard.url,
      control: { url: control.url, token: controlToken },
      bringUp: (signal, faults = []) => {
        const breakSome = async (): Promise<void> => {
          for (const name of faults) progress.done(`fault: ${(await board.break(name)).reported}`);
        };
        const operator = ownNodes ? {} : { startOperator };
        return bringUp(
          { ...options, cluster, vcenter, ownNodes, mounts, refreshNow, breakSome, made, ...operator },
          signal,
        );
      },
      takeDown: async (signal) => {
        // If vCenter is down, volumes cannot be deleted.
        await board.heal().catch(() => undefined);
        const volumes = vcenter.simulated?.volumes;
        const volumesLeft = volumes && (() => volumes.list().length);
        await takeDown({ ...options, kube, hasDemo: ownNodes, ...(volumesLeft ? { volumesLeft } : {}) }, signal);
        const joined = ownNodes ? vcenter.nodes : [];
        const stopNodes = async () => nodes?.stop();
        if (cluster.outside) await leaveCluster({ ...options, kube, joined, stopNodes }, signal);
      },
      tailLogs: () => tailLogs(logFolder),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
