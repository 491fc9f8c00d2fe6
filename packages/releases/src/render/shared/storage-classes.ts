import type { StorageClassSpec } from '@vdo/config/api/csi-spec';
import { annotationKeys, names, parameterKeys } from '@vdo/config/names';
import type { StorageClass } from '@vdo/kube/types/storage';
import { managedLabels } from './labels.ts';

const parametersOf = (spec: StorageClassSpec): Readonly<Record<string, string>> => ({
  ...spec.parameters,
  ...(spec.storagePolicy === undefined ? {} : { storagepolicyname: spec.storagePolicy }),
  ...(spec.datastoreUrl === undefined ? {} : { datastoreurl: spec.datastoreUrl }),
  ...(spec.fsType === undefined ? {} : { [parameterKeys.fileSystem]: spec.fsType }),
});

/** The StorageClasses in the spec. */
export const renderStorageClasses = (specs: readonly StorageClassSpec[]): readonly StorageClass[] =>
  specs.map((spec) => {
    const parameters = parametersOf(spec);
    const isDefault = { [annotationKeys.defaultStorageClass]: 'true' };
    return {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: spec.name, labels: managedLabels, ...(spec.default ? { annotations: isDefault } : {}) },
      provisioner: names.csiDriver,
      ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
      reclaimPolicy: spec.reclaimPolicy,
      volumeBindingMode: spec.volumeBindingMode,
      allowVolumeExpansion: spec.allowVolumeExpansion,
      ...(spec.mountOptions.length > 0 ? { mountOptions: spec.mountOptions } : {}),
    };
  });
