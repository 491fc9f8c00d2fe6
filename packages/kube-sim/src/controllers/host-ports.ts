import type { Pod } from '@vdo/kube/types/core';
import type { StoreEvent } from '../store/store.ts';

const anyAddress = '0.0.0.0';

interface HostPort {
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
}

type ContainerPort = NonNullable<Pod['spec']['containers'][number]['ports']>[number] & {
  readonly hostPort?: number;
  readonly hostIP?: string;
};

/** Ports of its node that a pod takes. On the host's network that is every port that a container names: the API server fills them in. */
const hostPortsOf = ({ spec }: Pod): readonly HostPort[] =>
  spec.containers
    .flatMap(({ ports = [] }) => ports as readonly ContainerPort[])
    .flatMap(({ hostPort, hostIP, containerPort, protocol = 'TCP' }) => {
      const port = hostPort ?? (spec.hostNetwork ? containerPort : undefined);
      return port === undefined ? [] : [{ protocol, port, address: hostIP || anyAddress }];
    });

const clash = (a: HostPort, b: HostPort): boolean =>
  a.protocol === b.protocol &&
  a.port === b.port &&
  (a.address === b.address || a.address === anyAddress || b.address === anyAddress);

/** Which ports of each node are taken: a second pod that wants one has to wait until the first is gone, not only deleted. */
export interface TakenHostPorts {
  observe(event: StoreEvent): void;
  isFree(nodeName: string, pod: Pod): boolean;
}

export const createTakenHostPorts = (): TakenHostPorts => {
  const byNode = new Map<string, Map<string, readonly HostPort[]>>();
  return {
    observe: ({ type, bucket, object }) => {
      if (bucket !== '/pods') return;
      const pod = object as unknown as Pod;
      const { nodeName } = pod.spec;
      const ports = hostPortsOf(pod);
      if (nodeName === undefined || ports.length === 0) return;
      const taken = byNode.get(nodeName) ?? new Map<string, readonly HostPort[]>();
      byNode.set(nodeName, taken);
      const hasEnded = type === 'DELETED' || /^(Succeeded|Failed)$/.test(pod.status?.phase ?? '');
      if (hasEnded) taken.delete(pod.metadata.uid ?? '');
      else taken.set(pod.metadata.uid ?? '', ports);
    },
    isFree: (nodeName, pod) => {
      const wanted = hostPortsOf(pod);
      if (wanted.length === 0) return true;
      const taken = [...(byNode.get(nodeName)?.values() ?? [])].flat();
      return !wanted.some((one) => taken.some((other) => clash(one, other)));
    },
  };
};
