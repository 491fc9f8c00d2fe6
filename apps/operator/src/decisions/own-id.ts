import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';

/** Confirms that the volumes of another cluster were imported on purpose, and that this cluster keeps its own ID. */
export const foreignVolumesAnnotation = 'vdo.vmware.com/foreign-volumes';

/** A PersistentVolume, and the cluster IDs under which vCenter lists its volume. */
export interface RegisteredVolume {
  readonly name: string;
  readonly clusterIds: readonly string[];
}

export interface OwnIdInput {
  /** The cluster ID that the driver uses, or will use. */
  readonly id: string;
  readonly registered: readonly RegisteredVolume[];
  /** The namespace of the ConfigMap in which the driver keeps the ID. */
  readonly noted?: { readonly namespace: string };
  /** A driver already runs with this ID. */
  readonly isRunning: boolean;
  /** The name of the resource. */
  readonly name: string;
}

const accept = ({ noted, isRunning, name }: OwnIdInput, proposed: string): string => {
  const forget = noted
    ? [`kubectl -n ${noted.namespace} delete configmap ${names.csiClusterId} --ignore-not-found`]
    : [];
  const set = `kubectl patch vspheredrivers ${name} --type merge -p '{"spec":{"csi":{"clusterId":"${proposed}"}}}'`;
  if (!isRunning) return [...forget, set].join(' && ');
  return [
    `kubectl get vspheredrivers ${name} -o yaml > drivers.yaml`,
    `kubectl patch vspheredrivers ${name} --type merge -p '{"spec":{"deletionPolicy":"Orphan"}}'`,
    `kubectl delete vspheredrivers ${name}`,
    ...forget,
    `set spec.csi.clusterId to ${proposed} in the file`,
    'kubectl apply -f drivers.yaml',
  ].join('; ');
};

/**
 * Why a driver must not use a cluster ID: vCenter lists the volumes of this cluster under another one. With the wrong ID it would find none
 * of them. The right ID is proposed, never set: it may belong to a running cluster of which this one is a copy.
 */
export const judgeOwnId = (input: OwnIdInput): VdoError | undefined => {
  const { id, registered } = input;
  if (registered.length === 0 || registered.some(({ clusterIds }) => clusterIds.includes(id))) return undefined;
  const counts = new Map<string, number>();
  for (const clusterId of registered.flatMap(({ clusterIds }) => clusterIds))
    counts.set(clusterId, (counts.get(clusterId) ?? 0) + 1);
  const [[proposed] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
  const [first] = registered;
  return new VdoError({
    code: 'ClusterIdMismatch',
    message: `vCenter lists the volumes of this cluster under the cluster ID ${proposed} (${first?.name ?? ''} and ${registered.length - 1} more were checked), but the storage driver would use the cluster ID ${id}`,
    remedy: `If no other running cluster has the cluster ID ${proposed}: ${accept(input, proposed)}`,
    details: { id, proposed },
  });
};
