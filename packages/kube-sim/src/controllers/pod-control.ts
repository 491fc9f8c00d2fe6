import { createHash } from 'node:crypto';
import type { Pod } from '@vdo/kube/types/core';
import type { KubeObject, OwnerReference } from '@vdo/kube/types/object';
import type { PodTemplate } from '@vdo/kube/types/workloads';
import { omit } from '../json.ts';

/** Labels that a controller sets on its pods so that it finds them again. */
export const controllerReference = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid) ?? false;

/** A short name for the content of a template, stable across processes. */
export const templateHash = (template: PodTemplate): string => {
  const labels = omit({ ...template.metadata?.labels }, 'pod-template-hash', 'controller-revision-hash');
  const content = JSON.stringify({ ...template, metadata: { ...template.metadata, labels } });
  return createHash('sha256').update(content).digest('hex').slice(0, 10);
};

export const podFromTemplate = (
  owner: KubeObject,
  template: PodTemplate,
  labels: Readonly<Record<string, string>> = {},
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    generateName: `${owner.metadata.name ?? ''}-`,
    ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
    labels: { ...template.metadata?.labels, ...labels },
    ...(template.metadata?.annotations ? { annotations: template.metadata.annotations } : {}),
    ownerReferences: [controllerReference(owner)],
  },
  spec: template.spec,
});

export const isActive = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined && !['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** A count or a percentage of `total`, rounded up or down. */
export const portion = (value: unknown, total: number, round: (exact: number) => number): number => {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
};
