import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import {
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { storageClasses } from '@vdo/kube/types/storage';
import { chooseNode } from './schedule.ts';
import { claimedVolumes } from './volumes/decide-mount.ts';

interface Binding extends KubeObject {
  readonly target: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

/** The subresource with which a scheduler assigns a pod to a node: a Binding, posted below the pod. */
const podBindings: Resource<Binding> = { group: '', version: 'v1', plural: 'pods', kind: 'Binding', namespaced: true };

const selectedNode = annotationKeys.selectedNode;
const isBound = ({ status }: PersistentVolumeClaim): boolean => status?.phase === 'Bound';

export interface BindPodDeps {
  readonly kube: KubeClient;
  readonly nodes: () => readonly Node[];
  readonly load: () => ReadonlyMap<string, number>;
}

/**
 * Binds a pod to a node, after its claims: a claim with WaitForFirstConsumer gets the selected node and must be bound
 * before the pod. False if a claim is not bound yet.
 */
export const bindPod = async (pod: Pod, deps: BindPodDeps, signal: AbortSignal): Promise<boolean> => {
  const { kube } = deps;
  const { name = '', namespace = '' } = pod.metadata;
  const needed = claimedVolumes(pod);
  const found = await Promise.all(
    needed.map(({ claimName }) => kube.find(persistentVolumeClaims, { namespace, name: claimName }, { signal })),
  );
  const claims = found.filter((claim) => claim !== undefined);
  if (claims.length < needed.length) return false;
  const unbound = claims.filter((claim) => !isBound(claim));
  for (const { spec } of unbound) {
    const storageClass = await kube.find(storageClasses, { name: spec.storageClassName ?? '' }, { signal });
    if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return false;
  }
  const volumes = await volumesOf(claims.filter(isBound), kube, signal);
  const chosen = unbound.map(({ metadata }) => metadata.annotations?.[selectedNode]).find(Boolean);
  const nodes = deps.nodes().filter(({ metadata }) => chosen === undefined || metadata.name === chosen);
  const node = chooseNode(pod, { nodes, volumes, load: deps.load() })?.metadata.name;
  if (node === undefined) return false;
  for (const { metadata } of unbound) {
    const body = { metadata: { annotations: { [selectedNode]: node } } };
    await kube.patch(
      persistentVolumeClaims,
      { namespace, name: metadata.name ?? '' },
      { type: 'merge', body },
      { signal },
    );
  }
  if (unbound.length > 0) return false;
  const target = { apiVersion: 'v1', kind: 'Node', name: node };
  const binding: Binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
  await kube.create(podBindings, binding, { subresource: 'binding', signal });
  return true;
};

const volumesOf = async (
  claims: readonly PersistentVolumeClaim[],
  kube: KubeClient,
  signal: AbortSignal,
): Promise<readonly PersistentVolume[]> => {
  const found = await Promise.all(
    claims.map(({ spec }) => kube.find(persistentVolumes, { name: spec.volumeName ?? '' }, { signal })),
  );
  return found.filter((volume) => volume !== undefined);
};
