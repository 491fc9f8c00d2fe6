import type { Pod } from '@vdo/kube/types/core';
import { getIn, isObject, stringOf } from '../json.ts';

/** The claim behind one of a pod's volumes, by name; undefined for a volume of another kind. */
export const claimNameOf = (pod: Pod, volume: { readonly name: string }): string | undefined => {
  const named = stringOf(getIn(volume, ['persistentVolumeClaim', 'claimName']));
  if (named) return named;
  return isObject(getIn(volume, ['ephemeral', 'volumeClaimTemplate']))
    ? `${pod.metadata.name}-${volume.name}`
    : undefined;
};

/** The claims that a pod mounts, by name: those that it names and those that are created for it. */
export const claimNames = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => claimNameOf(pod, volume) ?? []);

/** What Kubernetes calls a CSI volume in the status of nodes. */
export const uniqueVolumeName = ({
  driver,
  volumeHandle,
}: {
  readonly driver: string;
  readonly volumeHandle: string;
}) => `kubernetes.io/csi/${driver}^${volumeHandle}`;
