import { isVdoError } from '@vdo/base/vdo-error';
import { apiGroups } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import { apiVersionOf, type Resource } from '@vdo/kube/types/resource';

/** The Go driver's record: the path of a disk of the in-tree provider, and the volume that it became. It has the name of the volume. */
interface VolumeMigrationObject extends KubeObject {
  readonly spec: { readonly volumepath: string; readonly volumename: string; readonly volumeid: string };
}

export const volumeMigrations: Resource<VolumeMigrationObject> = {
  group: apiGroups.cns,
  version: 'v1alpha1',
  plural: 'cnsvspherevolumemigrations',
  kind: 'CnsVSphereVolumeMigration',
  namespaced: false,
};

/** Maps disk paths to volumes, stored in the cluster. If the resource does not exist, nothing is stored, and this is not an error. */
export interface VolumeMigrations {
  list(options: { readonly signal: AbortSignal }): Promise<ReadonlyMap<string, string>>;
  put(path: string, volumeId: string, name: string, options: { readonly signal: AbortSignal }): Promise<void>;
  remove(volumeId: string, options: { readonly signal: AbortSignal }): Promise<void>;
}

// Without permission to read the resource, vCenter can still report which volume has its disk at a path.
const isAbsent = (error: unknown): boolean => isVdoError(error, 'KubeNotFound', 'KubeResourceMissing', 'KubeForbidden');

const unlessAbsent = async <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  work.catch((error: unknown) => {
    if (isAbsent(error)) return otherwise;
    throw error;
  });

export const createVolumeMigrations = (kube: KubeClient): VolumeMigrations => ({
  list: async ({ signal }) => {
    const listed = kube.list(volumeMigrations, { signal }).then(({ items }) => items);
    const items = await unlessAbsent(listed, []);
    return new Map(items.map(({ spec }) => [spec.volumepath, spec.volumeid]));
  },
  put: async (path, volumeId, name, { signal }) => {
    const object: VolumeMigrationObject = {
      apiVersion: apiVersionOf(volumeMigrations),
      kind: volumeMigrations.kind,
      metadata: { name: volumeId },
      spec: { volumepath: path, volumename: name, volumeid: volumeId },
    };
    const applied = kube.apply(volumeMigrations, object, { fieldManager: 'vsphere-csi', force: true, signal });
    await unlessAbsent<unknown>(applied, undefined);
  },
  remove: async (name, { signal }) => {
    await unlessAbsent<unknown>(kube.delete(volumeMigrations, { name }, { signal }), undefined);
  },
});
