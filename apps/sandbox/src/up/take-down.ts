import type { Clock } from '@vdo/base/clock';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import { waitUntil } from '../wait-until.ts';
import { demo } from './demo-objects.ts';
import type { SandboxProgress } from './progress.ts';

export interface TakeDownOptions {
  readonly kube: KubeClient;
  /** How many container volumes vCenter has; absent: it is not asked. */
  readonly volumesLeft?: () => number;
  readonly stepTimeoutMs: number;
  readonly clock: Clock;
  readonly progress: SandboxProgress;
}

/** Removes the demo and the drivers as a user would, and waits until nothing of them is left. */
export const takeDown = async (options: TakeDownOptions, signal: AbortSignal): Promise<void> => {
  const { kube, progress, clock, volumesLeft = () => 0 } = options;
  const until = (what: string, ask: () => Promise<boolean>) =>
    waitUntil(ask, {
      what,
      remedy: 'The last lines of each program are above.',
      timeoutMs: options.stepTimeoutMs,
      clock,
      signal,
    });
  const { namespace, name } = demo;
  progress.update('Deleting the demo');
  const statefulSets = await kube.resourceFor('apps/v1', 'StatefulSet', { signal });
  await kube.delete(statefulSets, { namespace, name }, { signal });
  await until(
    'the pods of the demo to end',
    async () => (await kube.list(pods, { namespace, labelSelector: `app=${name}`, signal })).items.length === 0,
  );
  for (let index = 0; index < demo.replicas; index++)
    await kube.delete(persistentVolumeClaims, { namespace, name: `data-${name}-${index}` }, { signal });
  await until('the volumes to be deleted', async () => {
    const ours = (await kube.list(persistentVolumes, { signal })).items.filter(
      ({ spec }) => spec.csi?.driver === 'csi.vsphere.vmware.com',
    );
    return ours.length === 0 && volumesLeft() === 0;
  });
  progress.done('the demo is gone, and its disks are gone from vCenter');
  progress.update('Deleting the drivers');
  await kube.delete(vsphereDrivers, { name: vsphereDriversName }, { signal });
  await until(
    'the drivers to be removed',
    async () => (await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal })) === undefined,
  );
  progress.done('the drivers are gone');
};
