import { createHash } from 'node:crypto';
import type { Fence } from '@vdo/base/fence';
import { names, parameterKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { OwnerReference } from '@vdo/kube/types/object';
import { formatQuantity, parseQuantity } from '@vdo/kube/types/quantity';
import { type CsiStorageCapacity, csiDrivers, csiStorageCapacities, type StorageClass } from '@vdo/kube/types/storage';
import { deployments } from '@vdo/kube/types/workloads';
import { driverName } from '../../driver.ts';
import type { Segments } from '../../placement/segments.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { inhabitedPlaces } from './claims.ts';

export interface StorageCapacityDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly volumes: Pick<Volumes, 'getCapacity'>;
  /** Namespace of the objects. */
  readonly namespace: string;
  readonly topology: boolean;
  readonly fence: Fence;
  /** The largest volume that a class allows has grown. */
  readonly onRoom?: (className: string, largest: { readonly before: bigint; readonly now: bigint }) => void;
}

const labels = {
  'csi.storage.k8s.io/drivername': driverName,
  'csi.storage.k8s.io/managed-by': 'external-provisioner',
};
const refreshMs = 60_000;
/** Owner: the objects are deleted with it when the driver is removed. */
const ownerName = names.csiController;

// The name depends only on topology segment and class, so that a new leader does not write the same object twice.
const nameOf = (className: string, place: Segments): string =>
  `csisc-${createHash('sha256')
    .update(JSON.stringify([className, Object.entries(place).sort()]))
    .digest('hex')
    .slice(0, 20)}`;

const isEqual = (left: CsiStorageCapacity, right: CsiStorageCapacity): boolean =>
  left.capacity === right.capacity && left.maximumVolumeSize === right.maximumVolumeSize;

const sizeOf = (capacity: CsiStorageCapacity | undefined): bigint =>
  parseQuantity(capacity?.maximumVolumeSize ?? '0') ?? 0n;

/** Publishes the free space per class and topology segment for the scheduler, if the CSIDriver object requests it. */
export const createCapacityKeeper = (deps: StorageCapacityDeps): Reconcile => {
  const { kube, informers, volumes, namespace, topology, fence } = deps;

  const ownerReferences = async (signal: AbortSignal): Promise<readonly OwnerReference[]> => {
    const owner = await kube.find(deployments, { namespace, name: ownerName }, { signal });
    if (!owner) return [];
    return [{ apiVersion: 'apps/v1', kind: 'Deployment', name: ownerName, uid: owner.metadata.uid ?? '' }];
  };
  const measure = async (
    storageClass: StorageClass,
    place: Segments,
    owners: readonly OwnerReference[],
    signal: AbortSignal,
  ): Promise<CsiStorageCapacity> => {
    const className = storageClass.metadata.name ?? '';
    const parameters = Object.fromEntries(
      Object.entries(storageClass.parameters ?? {}).filter(([key]) => !key.startsWith(parameterKeys.prefix)),
    );
    const question = { uses: [], parameters, place };
    const room = await volumes.getCapacity(question, { signal, lifetime: signal, fence });
    return {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIStorageCapacity',
      metadata: { name: nameOf(className, place), namespace, labels, ownerReferences: owners },
      storageClassName: className,
      nodeTopology: { matchLabels: place },
      capacity: formatQuantity(room.availableBytes),
      maximumVolumeSize: formatQuantity(room.largestBytes),
    };
  };
  const write = async (wanted: CsiStorageCapacity, found: CsiStorageCapacity | undefined, signal: AbortSignal) => {
    if (found && isEqual(found, wanted)) return;
    await kube.apply(csiStorageCapacities, wanted, { fieldManager: 'vsphere-csi', force: true, signal });
    const [before, now] = [sizeOf(found), sizeOf(wanted)];
    if (found && now > before) deps.onRoom?.(wanted.storageClassName, { before, now });
  };

  return async (_key, { signal }) => {
    const driver = await kube.find(csiDrivers, { name: driverName }, { signal });
    const classes = driver?.spec.storageCapacity
      ? informers.classes.list().filter(({ provisioner }) => provisioner === driverName)
      : [];
    const places = topology ? inhabitedPlaces(informers.nodes.list(), informers.csiNodes.list()) : [{}];
    const labelSelector = Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
    const { items } = await kube.list(csiStorageCapacities, { namespace, labelSelector, signal });
    const left = new Map(items.map((item) => [item.metadata.name ?? '', item]));
    const owners = classes.length > 0 ? await ownerReferences(signal) : [];
    let failure: unknown;
    for (const storageClass of classes)
      for (const place of places) {
        const name = nameOf(storageClass.metadata.name ?? '', place);
        const found = left.get(name);
        left.delete(name);
        // If the capacity of a class cannot be read, its last value is kept, and the other classes are still updated.
        await measure(storageClass, place, owners, signal)
          .then((wanted) => write(wanted, found, signal))
          .catch((error: unknown) => {
            signal.throwIfAborted();
            failure ??= error;
          });
      }
    for (const name of left.keys()) await kube.delete(csiStorageCapacities, { namespace, name }, { signal });
    if (failure !== undefined) throw failure;
    return { requeueAfterMs: refreshMs };
  };
};
