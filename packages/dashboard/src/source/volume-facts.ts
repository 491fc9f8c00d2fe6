import { names } from '@vdo/config/names';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { VolumeSnapshot } from '@vdo/kube/types/snapshots';
import type { StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';
import type { Inventory } from '../inventory.ts';
import type { AttachTimes } from './step-times.ts';

/** What the storage controller is about to create. */
export interface VolumeIntentFact extends KubeObject {
  readonly spec: {
    readonly askedAt?: string;
    readonly task?: string;
    readonly claim?: { readonly namespace: string; readonly name: string };
  };
}

/** Everything that is known about volumes, from the cluster and from vCenter. */
export interface VolumeFacts {
  readonly nowMs: number;
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly attachments: readonly VolumeAttachment[];
  readonly pods: readonly Pod[];
  readonly snapshots: readonly VolumeSnapshot[];
  readonly classes: readonly StorageClass[];
  readonly intents: readonly VolumeIntentFact[];
  readonly inventory: Inventory;
  readonly attachTimes: AttachTimes;
  /** The lists of volumes and claims are complete: what is not in them does not exist. */
  readonly isComplete: boolean;
}

export const isOurs = ({ spec }: PersistentVolume): boolean => spec.csi?.driver === names.csiDriver;

export const keyOf = ({ metadata: { namespace = '', name = '' } }: KubeObject): string => `${namespace}/${name}`;

export const millis = (time: string | undefined): number | undefined => {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? undefined : ms;
};

type Given<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The fields that have a value. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

export const groupBy = <T>(items: readonly T[], keyOfItem: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

interface ClaimVolume {
  readonly persistentVolumeClaim?: { readonly claimName?: string };
}

/** Of an ephemeral volume, the claim is named after the pod. */
const claimNamesOf = ({ metadata, spec }: Pod): readonly string[] =>
  (spec.volumes ?? []).flatMap((volume) => {
    const name =
      (volume as ClaimVolume).persistentVolumeClaim?.claimName ??
      ('ephemeral' in volume ? `${metadata.name}-${volume.name}` : undefined);
    return name === undefined ? [] : [name];
  });

/** The claims that a pod mounts, `namespace/name`. */
export const claimsOf = (pod: Pod): readonly string[] =>
  claimNamesOf(pod).map((name) => `${pod.metadata.namespace ?? ''}/${name}`);

/** For informers: of a pod, only what says which volumes it uses, and where. */
export const trimPod = (pod: Pod): Pod => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = pod.metadata;
  const volumes = (pod.spec.volumes ?? []).filter((one) => 'persistentVolumeClaim' in one || 'ephemeral' in one);
  const started = pod.status?.conditions?.filter(({ type }) => type === 'PodReadyToStartContainers');
  return {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as Pod['metadata'],
    spec: {
      containers: [],
      ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
      // Most of an ephemeral volume is a template.
      volumes: volumes.map((one) => ('ephemeral' in one ? { name: one.name, ephemeral: {} } : one)),
    },
    status: {
      ...(pod.status?.phase ? { phase: pod.status.phase } : {}),
      ...(volumes.length > 0 && started?.length ? { conditions: started } : {}),
    },
  };
};
