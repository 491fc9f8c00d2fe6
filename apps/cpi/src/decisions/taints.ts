import { taintKeys } from '@vdo/config/names';
import type { Node, Taint } from '@vdo/kube/types/core';

/** kubelet sets it with `--cloud-provider=external`; the cloud provider removes it when it has initialized the node. */
export const uninitializedTaintKey = taintKeys.uninitialized;

/** Means that the VM is powered off: volumes may be detached and pods moved. */
export const shutdownTaint: Taint = { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' };

export const isUninitialized = (node: Node): boolean =>
  (node.spec.taints ?? []).some(({ key }) => key === uninitializedTaintKey);

export const hasTaint = (node: Node, taint: Taint): boolean =>
  (node.spec.taints ?? []).some(({ key, effect }) => key === taint.key && effect === taint.effect);

export const withoutTaintKey = (taints: readonly Taint[], key: string): readonly Taint[] =>
  taints.filter((taint) => taint.key !== key);

export const isReady = (node: Node): boolean =>
  (node.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');
