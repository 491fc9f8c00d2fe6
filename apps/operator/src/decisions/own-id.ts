import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';

/** Says that the volumes of another cluster were brought along on purpose, and that this one keeps its own id. */
export const foreignVolumesAnnotation = 'vdo.vmware.com/foreign-volumes';

/** A PersistentVolume, and the clusters under whose ids vCenter lists its volume. */
export interface RegisteredVolume {
  readonly name: string;
  readonly clusterIds: readonly string[];
}

export interface OwnIdInput {
  /** What the driver calls this cluster, or will. */
  readonly id: string;
  readonly registered: readonly RegisteredVolume[];
  /** The driver keeps the id in a ConfigMap of this namespace. */
  readonly noted?: { readonly namespace: string };
  /** A driver works under the id. */
  readonly isRunning: boolean;
  /** Of the resource. */
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
 * Why a driver must not work under an id: vCenter lists the volumes of this cluster under another one. Under a wrong id it would find none
 * of them. The id is proposed, never taken: a living cluster may own it, of which this one is a copy.
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
    message: `vCenter lists the volumes of this cluster under the id ${proposed} (${first?.name ?? ''} and ${registered.length - 1} more were looked at), but the storage driver would call the cluster ${id}`,
    remedy: `If no other cluster that still runs has the id ${proposed}: ${accept(input, proposed)}`,
    details: { id, proposed },
  });
};
