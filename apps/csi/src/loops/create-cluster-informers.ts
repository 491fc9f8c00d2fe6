import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { createInformer } from '@vdo/kube/create-informer';
import type { Informer } from '@vdo/kube/informer';
import { createNodeTrimmer } from '@vdo/kube/trim-node';
import { nodes, type PersistentVolume, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { csiNodes, storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import type { ClusterInformers } from './cluster-informers.ts';
import { copiedFrom } from './copied-from.ts';
import { createTrimmer } from './trim-objects.ts';

export interface ClusterInformersDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

const present = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);

interface InTreeSource {
  readonly vsphereVolume?: { readonly volumePath?: string };
}

/** File name of the vmdk in the path of a PersistentVolume, without folders, because the disk may have been moved to another datastore. */
const diskFileOf = ({ spec }: PersistentVolume): string | undefined => {
  const handle = spec.csi?.volumeHandle ?? '';
  const path = (spec as InTreeSource).vsphereVolume?.volumePath ?? (handle.startsWith('[') ? handle : undefined);
  return path?.split('/').at(-1);
};

/** One informer per kind, shared by all loops. `all` is used to run them. */
export const createClusterInformers = (
  deps: ClusterInformersDeps,
): ClusterInformers & { readonly all: readonly Informer<KubeObject>[] } => {
  const inform = <T extends KubeObject>(
    resource: Resource<T>,
    options: Omit<Parameters<typeof createInformer<T>>[0], keyof ClusterInformersDeps | 'resource'> = {},
  ) => createInformer<T>({ ...deps, resource, ...options });
  const trim = createTrimmer();
  let last = Promise.resolve();
  const turn = (): Promise<void> => {
    last = last.then(() => nextTurn());
    return last;
  };
  const informers: Omit<ClusterInformers, 'turn'> = {
    claims: inform(persistentVolumeClaims, {
      transform: trim,
      indexers: { uid: ({ metadata }) => present(metadata.uid), source: (claim) => present(copiedFrom(claim)) },
    }),
    volumes: inform(persistentVolumes, {
      transform: trim,
      indexers: {
        handle: ({ spec }) => present(spec.csi?.volumeHandle),
        disk: (volume) => present(diskFileOf(volume)),
      },
    }),
    classes: inform(storageClasses),
    nodes: inform(nodes, { transform: createNodeTrimmer({ addresses: true, nodeInfo: ['systemUUID'] }) }),
    csiNodes: inform(csiNodes),
    attachments: inform(volumeAttachments, {
      transform: trim,
      indexers: {
        volume: ({ spec }) => present(spec.source.persistentVolumeName),
        handle: ({ metadata }) => present(metadata.annotations?.[annotationKeys.volumeHandle]),
        node: ({ spec }) => [spec.nodeName],
      },
    }),
  };
  return { ...informers, turn, all: Object.values(informers) };
};
