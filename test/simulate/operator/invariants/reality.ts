import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { ConfigMap, Node, Pod, Secret } from '@vdo/kube/types/core';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { distributionLabel, driverLabel, versionLabel } from '@vdo/releases/render/shared/labels';
import { namespace } from '../../../stories/operator/create-operator-story.ts';
import type { Life } from '../life.ts';

/** One workload of ours with the pods that really run. */
export interface RealWorkload {
  readonly driver: 'CPI' | 'CSI';
  readonly isNodeAgent: boolean;
  readonly release: string;
  readonly version: string;
  readonly wanted: number;
  readonly ready: number;
  /** Pods that the kubelet has given up for now. */
  readonly failing: number;
}

/** What the cluster has and vCenter says, without asking the operator. */
export interface Reality {
  readonly resource: VSphereDrivers | undefined;
  readonly workloads: readonly RealWorkload[];
  /** Pods of nodes that say nothing do not count. */
  readonly nodesAnswer: boolean;
  /** In time. */
  readonly vcenterAnswers: boolean;
  readonly vcenterIsAway: boolean;
  /** What the Secret holds. */
  readonly passwordIsRight: boolean;
  /** vCenter has accepted it once: a session may live that was opened with it. */
  readonly passwordWasRight: boolean;
  /** Undefined if it is an older one, or gone. */
  readonly matrixIs: 'newest' | 'broken' | undefined;
}

const waits = /^(CrashLoopBackOff|ErrImagePull|ImagePullBackOff)$/;
const isReady = ({ status }: Pod | Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
const isFailing = ({ status }: Pod): boolean =>
  (status?.containerStatuses ?? []).some(({ state }) =>
    waits.test((state?.waiting as { readonly reason?: string } | undefined)?.reason ?? ''),
  );

export const observeReality = ({ story, password, proofs, vcenterIsSlow, matrix }: Life): Reality => {
  const { store } = story.kubeSimNow();
  const all = <T>(bucket: string) => store.list(bucket) as unknown as readonly T[];
  const ours = all<Pod>('/pods').filter(
    ({ metadata }) => metadata.labels?.[driverLabel] && !metadata.deletionTimestamp,
  );
  const nodes = all<Node>('/nodes');
  const observe = (workload: Deployment | DaemonSet): readonly RealWorkload[] => {
    const { labels = {}, namespace: place } = workload.metadata;
    const driver = labels[driverLabel];
    if (driver === undefined || labels[distributionLabel] === undefined) return [];
    const selector = Object.entries(workload.spec.selector.matchLabels ?? {});
    const pods = ours.filter(
      ({ metadata }) =>
        metadata.namespace === place && selector.every(([key, value]) => metadata.labels?.[key] === value),
    );
    const version = labels[versionLabel] ?? '';
    return [
      {
        driver: driver === 'cpi' ? 'CPI' : 'CSI',
        isNodeAgent: driver === 'csi' && !('replicas' in workload.spec),
        release: `${labels[distributionLabel]} ${version}`,
        version,
        wanted: 'replicas' in workload.spec ? (workload.spec.replicas ?? 1) : nodes.length,
        ready: pods.filter(isReady).length,
        failing: pods.filter(isFailing).length,
      },
    ];
  };
  const secret = all<Secret>('/secrets').find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === 'vcenter',
  );
  const published = all<ConfigMap>('/configmaps').find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === 'matrix',
  );
  const text = JSON.stringify(published?.data ?? {});
  const held = Buffer.from(secret?.data?.['password'] ?? '', 'base64').toString();
  return {
    resource: all<VSphereDrivers>('vdo.vmware.com/vspheredrivers').find(({ metadata }) => metadata.name === 'cluster'),
    workloads: [...all<Deployment>('apps/deployments'), ...all<DaemonSet>('apps/daemonsets')].flatMap(observe),
    nodesAnswer: nodes.every(isReady),
    vcenterAnswers: story.network.up && vcenterIsSlow === 0,
    vcenterIsAway: !story.network.up,
    passwordIsRight: held === password,
    passwordWasRight: proofs.isProven(held),
    matrixIs: text === matrix.newest ? 'newest' : text === matrix.broken ? 'broken' : undefined,
  };
};
