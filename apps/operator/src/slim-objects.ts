import type { Node, NodeCondition, Secret } from '@vdo/kube/types/core';

const watchedConditions = ['Ready', 'NetworkUnavailable'];

// Without the times of heartbeats, and without the words of a healthy node.
const slimCondition = ({ type, status, message }: NodeCondition): NodeCondition => ({
  type,
  status,
  ...(type === 'Ready' && status !== 'True' && message ? { message } : {}),
});

/** What the operator reads of a node: ten thousand of them stay small. */
export const slimNode = ({ apiVersion, kind, metadata, spec, status }: Node): Node => ({
  apiVersion,
  kind,
  metadata: {
    ...(metadata.name ? { name: metadata.name } : {}),
    ...(metadata.uid ? { uid: metadata.uid } : {}),
    ...(metadata.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {}),
    ...(metadata.creationTimestamp ? { creationTimestamp: metadata.creationTimestamp } : {}),
    ...(metadata.labels ? { labels: metadata.labels } : {}),
  },
  spec: {
    ...(spec.providerID ? { providerID: spec.providerID } : {}),
    ...(spec.taints ? { taints: spec.taints } : {}),
  },
  status: {
    ...(status?.addresses ? { addresses: status.addresses } : {}),
    ...(status?.conditions
      ? { conditions: status.conditions.filter(({ type }) => watchedConditions.includes(type)).map(slimCondition) }
      : {}),
    ...(status?.nodeInfo
      ? {
          nodeInfo: {
            ...(status.nodeInfo.systemUUID ? { systemUUID: status.nodeInfo.systemUUID } : {}),
            ...(status.nodeInfo.kubeletVersion ? { kubeletVersion: status.nodeInfo.kubeletVersion } : {}),
            ...(status.nodeInfo.operatingSystem ? { operatingSystem: status.nodeInfo.operatingSystem } : {}),
          },
        }
      : {}),
  },
});

/** Whether the operator would see the same in both: heartbeats change nothing, and thousands of nodes send them all the time. */
export const sameNode = (before: Node, after: Node): boolean =>
  before.metadata.uid === after.metadata.uid &&
  JSON.stringify([before.spec, before.status]) === JSON.stringify([after.spec, after.status]);

/** Secrets are watched to notice a change; their content is read only when it is needed. */
export const slimSecret = ({ data: _, stringData: __, ...secret }: Secret): Secret => secret;
