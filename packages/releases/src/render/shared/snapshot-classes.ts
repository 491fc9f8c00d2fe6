import type { CsiSpec } from '@vdo/config/api/csi-spec';
import { names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import { managedLabels } from './labels.ts';

interface VolumeSnapshotClass extends KubeObject {
  readonly driver: string;
  readonly deletionPolicy: 'Delete' | 'Retain';
}

/** The VolumeSnapshotClasses in the spec. */
export const renderSnapshotClasses = ({ snapshots }: CsiSpec): readonly VolumeSnapshotClass[] =>
  (snapshots?.classes ?? []).map((spec) => {
    const isDefault = { 'snapshot.storage.kubernetes.io/is-default-class': 'true' };
    return {
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshotClass',
      metadata: { name: spec.name, labels: managedLabels, ...(spec.default ? { annotations: isDefault } : {}) },
      driver: names.csiDriver,
      deletionPolicy: spec.deletionPolicy,
    };
  });
