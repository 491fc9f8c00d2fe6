import { createNodeTrimmer } from '@vdo/kube/trim-node';
import type { Node, Pod, Secret } from '@vdo/kube/types/core';

/** The fields of a Node that the operator reads: 10,000 of them stay small. */
export const trimNode = createNodeTrimmer({
  taints: true,
  addresses: true,
  conditions: ['Ready', 'NetworkUnavailable'],
  nodeInfo: ['systemUUID', 'kubeletVersion', 'operatingSystem'],
});

/** Whether both are equal in these fields: heartbeats, which thousands of nodes send all the time, change none. */
export const sameNode = (before: Node, after: Node): boolean =>
  before.metadata.uid === after.metadata.uid &&
  JSON.stringify([before.spec, before.status]) === JSON.stringify([after.spec, after.status]);

/** Secrets are watched to notice a change; their content is read only when it is needed. */
export const trimSecret = ({ data: _, stringData: __, ...secret }: Secret): Secret => secret;

/** Keeps of a pod only whether its containers have ended. */
export const trimPod = ({ apiVersion, kind, metadata, spec, status }: Pod): Pod => {
  const { name = '', namespace = '', uid = '', resourceVersion = '', deletionTimestamp, labels } = metadata;
  const deleted = deletionTimestamp === undefined ? {} : { deletionTimestamp };
  const containers = spec.containers.map((container) => ({ name: container.name, image: container.image }));
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, ...deleted, ...(labels ? { labels } : {}) },
    spec: { containers },
    ...(status?.containerStatuses ? { status: { containerStatuses: status.containerStatuses } } : {}),
  };
};
