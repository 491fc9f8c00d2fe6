import type { Informer } from '@vdo/kube/informer';
import type { PersistentVolume, Pod } from '@vdo/kube/types/core';
import type { CnsEntityMetadata } from '@vdo/vsphere/cns/cns-client';
import { driverName } from '../../driver.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { entitiesOf } from './volume-entities.ts';

/** What Kubernetes says of volumes now. */
export interface VolumeView {
  /** PersistentVolumes of this driver that are not going away. */
  volumes(): readonly PersistentVolume[];
  byHandle(handle: string): PersistentVolume | undefined;
  entities(volume: PersistentVolume): readonly CnsEntityMetadata[];
}

export const isOurs = ({ spec }: PersistentVolume): boolean => spec.csi?.driver === driverName;

export const claimKeyOf = ({ spec: { claimRef } }: PersistentVolume): string =>
  `${claimRef?.namespace ?? ''}/${claimRef?.name ?? ''}`;

export const createVolumeView = (informers: ClusterInformers, pods: Informer<Pod>): VolumeView => ({
  volumes: () => informers.volumes.list().filter(isOurs),
  byHandle: (handle) => informers.volumes.byIndex('handle', handle).find(isOurs),
  entities: (volume) => {
    const key = claimKeyOf(volume);
    const claim = informers.claims.get(key);
    // A claim that was made again under its old name has another volume.
    if (!claim || claim.metadata.uid !== volume.spec.claimRef?.uid) return entitiesOf(volume, undefined, []);
    const users = pods
      .byIndex('claim', key)
      .map(({ metadata: { name = '', namespace = '' } }) => ({ name, namespace }))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
    return entitiesOf(volume, claim, users);
  },
});
