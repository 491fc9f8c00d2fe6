import type { Informer } from '@vdo/kube/informer';
import type { PersistentVolume, Pod } from '@vdo/kube/types/core';
import type { CnsEntityMetadata } from '@vdo/vsphere/cns/cns-types';
import { driverName } from '../../driver.ts';
import type { Volume } from '../../volumes/volume.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { entitiesOf } from './volume-entities.ts';

/** The present state of volumes in Kubernetes. */
export interface VolumeView {
  /** PersistentVolumes of this driver that are not being deleted. */
  volumes(): readonly PersistentVolume[];
  byHandle(handle: string): PersistentVolume | undefined;
  /** Whether a PersistentVolume refers to this volume, by its ID or, for volumes of the in-tree provider, by the path of its disk. */
  readonly hasVolume: (volume: Volume) => boolean;
  entities(volume: PersistentVolume): readonly CnsEntityMetadata[];
}

export const isOurs = ({ spec }: PersistentVolume): boolean => spec.csi?.driver === driverName;

export const claimKeyOf = ({ spec: { claimRef } }: PersistentVolume): string =>
  `${claimRef?.namespace ?? ''}/${claimRef?.name ?? ''}`;

export const createVolumeView = (informers: ClusterInformers, pods: Informer<Pod>): VolumeView => ({
  volumes: () => informers.volumes.list().filter(isOurs),
  byHandle: (handle) => informers.volumes.byIndex('handle', handle).find(isOurs),
  hasVolume: ({ id, diskPath }) => {
    if (informers.volumes.byIndex('handle', id).length > 0) return true;
    const file = diskPath?.split('/').at(-1);
    return file !== undefined && informers.volumes.byIndex('disk', file).length > 0;
  },
  entities: (volume) => {
    const key = claimKeyOf(volume);
    const claim = informers.claims.get(key);
    // A claim that was re-created under the same name has another volume.
    if (!claim || claim.metadata.uid !== volume.spec.claimRef?.uid) return entitiesOf(volume, undefined, []);
    const users = pods
      .byIndex('claim', key)
      .map(({ metadata: { name = '', namespace = '' } }) => ({ name, namespace }))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
    return entitiesOf(volume, claim, users);
  },
});
