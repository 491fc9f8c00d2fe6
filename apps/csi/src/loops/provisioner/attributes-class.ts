import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import { volumeAttributesClasses } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';

/** What the VolumeAttributesClass of a claim asks of a new volume; undefined if it names none. */
export const resolveAttributes = async (
  { spec }: PersistentVolumeClaim,
  { kube }: { readonly kube: Pick<KubeClient, 'find'> },
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> => {
  const name = spec.volumeAttributesClassName;
  if (!name) return undefined;
  const found = await kube.find(volumeAttributesClasses, { name }, { signal });
  if (found?.driverName === driverName) return found.parameters ?? {};
  throw new VdoError({
    code: found ? 'InvalidArgument' : 'KubeNotFound',
    message: found
      ? `VolumeAttributesClass ${name} is for driver ${found.driverName}, not for ${driverName}`
      : `VolumeAttributesClass ${name} does not exist`,
    remedy: `Create a VolumeAttributesClass ${name} with driverName ${driverName}, or make the claim again without it.`,
    retry: 'backoff',
  });
};
