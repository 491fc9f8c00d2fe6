import { waitUntil } from '@vdo/base/async/wait-until';
import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import { storageClasses } from '@vdo/kube/types/storage';
import { demo } from '../environment/demo-objects.ts';
import type { SandboxProgress } from './progress.ts';

export interface TakeDownOptions {
  readonly kube: KubeClient;
  readonly hasDemo: boolean;
  /** The number of container volumes in vCenter; absent: not checked. */
  readonly volumesLeft?: () => number;
  readonly stepTimeoutMs: number;
  readonly clock: Clock;
  readonly progress: SandboxProgress;
}

/** Undefined also if the kind does not exist (any more). */
const findDrivers = (kube: KubeClient, signal: AbortSignal) =>
  kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  });

/** Removes the demo and the drivers as a user would, if they exist, and waits until everything is removed. */
export const takeDown = async (options: TakeDownOptions, signal: AbortSignal): Promise<void> => {
  const { kube, progress, clock, volumesLeft = () => 0 } = options;
  const until = (what: string, ask: () => Promise<boolean>) =>
    waitUntil(ask, {
      what,
      remedy: 'The last log lines of each program are printed above.',
      timeoutMs: options.stepTimeoutMs,
      clock,
      signal,
    });
  const removeDemo = async (): Promise<void> => {
    const { namespace, name } = demo;
    progress.update('Deleting the demo');
    const statefulSets = await kube.resourceFor('apps/v1', 'StatefulSet', { signal });
    await kube.delete(statefulSets, { namespace, name }, { signal });
    await until(
      'the pods of the demo to end',
      async () => (await kube.list(pods, { namespace, labelSelector: `app=${name}`, signal })).items.length === 0,
    );
    const claims = Array.from({ length: demo.replicas }, (_, index) => `data-${name}-${index}`);
    for (const claim of claims) await kube.delete(persistentVolumeClaims, { namespace, name: claim }, { signal });
    await until('the volumes to be deleted', async () => {
      const ours = (await kube.list(persistentVolumes, { signal })).items.filter(
        ({ spec }) => spec.claimRef?.namespace === namespace && claims.includes(spec.claimRef.name ?? ''),
      );
      return ours.length === 0 && volumesLeft() === 0;
    });
    await kube.delete(storageClasses, { name: demo.storageClass }, { signal });
    progress.done('demo removed, and its disks deleted from vCenter');
  };
  if (options.hasDemo) await removeDemo();
  progress.update('Deleting the drivers');
  if (await findDrivers(kube, signal)) {
    // Admission uses counts of the operator that may be older than the deletion of the demo.
    const body = { metadata: { annotations: { [annotationKeys.allowRemoval]: 'true' } } };
    await kube.patch(vsphereDrivers, { name: vsphereDriversName }, { type: 'merge', body }, { signal });
    await kube.delete(vsphereDrivers, { name: vsphereDriversName }, { signal });
    await until('the drivers to be removed', async () => (await findDrivers(kube, signal)) === undefined);
  }
  progress.done('drivers removed');
};
