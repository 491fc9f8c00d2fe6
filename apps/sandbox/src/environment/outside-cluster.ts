import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { leaseNames, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { loadKubeConfig } from '@vdo/kube/kube-config';
import { leases } from '@vdo/kube/types/cluster';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { storageClasses } from '@vdo/kube/types/storage';
import { demo } from './demo-objects.ts';
import { sandboxMark } from './join-nodes.ts';
import { createAccountConfigs } from './kubeconfig.ts';
import type { SandboxCluster } from './sandbox-cluster.ts';

export interface OutsideClusterChoice {
  readonly kubeconfigPath: string;
  /** Default: the current context of the kubeconfig. */
  readonly context?: string;
}

/** The state of a cluster before the sandbox changes it. */
export interface ClusterState {
  /** Nodes that do not belong to a sandbox. */
  readonly nodeCount: number;
  /** Objects that the sandbox would apply and does not own, as `kind name`. */
  readonly taken: readonly string[];
  /** An earlier sandbox could not clean up. */
  readonly isLeftOver: boolean;
}

/** The only object of a driver outside the namespaces of VDO; it is not removed with the driver. */
export const cpiLease = { namespace: names.systemNamespace, name: leaseNames.cpi };

/** Reads the state of a cluster. Changes nothing. */
export const examineCluster = async (
  kube: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<ClusterState> => {
  const home = await kube.find(namespaces, { name: namespace }, { signal });
  const isLeftOver = home?.metadata.annotations?.[sandboxMark] !== undefined;
  const others = (await kube.list(nodes, { signal })).items.filter(
    ({ metadata }) => metadata.labels?.[sandboxMark] === undefined,
  );
  if (isLeftOver) return { nodeCount: others.length, taken: [], isLeftOver };
  const statefulSets = await kube.resourceFor('apps/v1', 'StatefulSet', { signal });
  const drivers = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing') || isVdoError(error, 'KubeNotFound')) return undefined;
    throw error;
  });
  const found = [
    home && `Namespace ${namespace}`,
    drivers && `VSphereDrivers ${vsphereDriversName}`,
    (await kube.find(storageClasses, { name: demo.storageClass }, { signal })) && `StorageClass ${demo.storageClass}`,
    (await kube.find(statefulSets, { namespace: demo.namespace, name: demo.name }, { signal })) &&
      `StatefulSet ${demo.namespace}/${demo.name}`,
    // Another cloud provider uses or used this Lease: both would manage the same nodes.
    (await kube.find(leases, cpiLease, { signal })) && `Lease ${cpiLease.namespace}/${cpiLease.name}`,
  ];
  return { nodeCount: others.length, taken: found.filter((one) => typeof one === 'string'), isLeftOver };
};

/** An external cluster, with the permissions of the given kubeconfig. */
export const openOutsideCluster = async (
  choice: OutsideClusterChoice,
  options: {
    readonly folder: string;
    readonly namespace: string;
    readonly clock: Clock;
    readonly random: Random;
    readonly signal: AbortSignal;
  },
): Promise<SandboxCluster> => {
  const { folder, clock, signal } = options;
  const access = { ...choice, env: {}, clock };
  const { origin, basePath, tls, proxy } = await loadKubeConfig(access);
  const kube = await connectKube({ ...access, fieldManager: 'vdo-sandbox' });
  const address = {
    url: `${origin}${basePath}`,
    ...(tls.caBundle === undefined ? {} : { certificate: tls.caBundle }),
    ...(tls.insecure === undefined ? {} : { insecure: tls.insecure }),
    ...(tls.serverName === undefined ? {} : { serverName: tls.serverName }),
    ...(proxy === undefined ? {} : { proxy }),
  };
  const { nodeCount } = await examineCluster(kube, options.namespace, signal);
  const accounts = createAccountConfigs({ kube, address, folder, clock, random: options.random });
  const renewing = new AbortController();
  const renewed = accounts.run(renewing.signal);
  return {
    kind: `the cluster at ${origin}`,
    outside: { hasNodes: nodeCount > 0, ...(choice.context === undefined ? {} : { context: choice.context }) },
    kube,
    url: origin,
    kubeconfigPath: choice.kubeconfigPath,
    accountConfig: accounts.config,
    stop: async () => {
      renewing.abort(new Error('the sandbox is stopping'));
      await renewed;
      await kube.close();
    },
  };
};
