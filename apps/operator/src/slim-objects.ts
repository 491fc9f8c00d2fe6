import type { Node, Secret } from '@vdo/kube/types/core';

/** What the operator reads of a node: ten thousand of them stay small. */
export const slimNode = ({ apiVersion, kind, metadata, spec }: Node): Node => ({
  apiVersion,
  kind,
  metadata: {
    ...(metadata.name ? { name: metadata.name } : {}),
    ...(metadata.uid ? { uid: metadata.uid } : {}),
    ...(metadata.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {}),
    ...(metadata.creationTimestamp ? { creationTimestamp: metadata.creationTimestamp } : {}),
  },
  spec: {
    ...(spec.providerID ? { providerID: spec.providerID } : {}),
    ...(spec.taints ? { taints: spec.taints } : {}),
  },
});

/** Whether the operator would see the same in both: heartbeats change nothing, and thousands of nodes send them all the time. */
export const sameNode = (before: Node, after: Node): boolean =>
  JSON.stringify(before.spec) === JSON.stringify(after.spec) && before.metadata.uid === after.metadata.uid;

/** Secrets are watched to notice a change; their content is read only when it is needed. */
export const slimSecret = ({ data: _, stringData: __, ...secret }: Secret): Secret => secret;
