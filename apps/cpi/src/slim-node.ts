import type { Node } from '@vdo/kube/types/core';

const unread = ['kubectl.kubernetes.io/last-applied-configuration'];

const omit = (record: Readonly<Record<string, string>>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** What is read of a Node: 10,000 of them are kept in memory. */
export const slimNode = ({ apiVersion, kind, metadata, spec, status }: Node): Node => ({
  apiVersion,
  kind,
  metadata: { ...metadata, ...(metadata.annotations ? { annotations: omit(metadata.annotations, unread) } : {}) },
  spec: {
    ...(spec.providerID === undefined ? {} : { providerID: spec.providerID }),
    ...(spec.taints === undefined ? {} : { taints: spec.taints }),
  },
  status: {
    ...(status?.addresses ? { addresses: status.addresses } : {}),
    conditions: (status?.conditions ?? [])
      .filter(({ type }) => type === 'Ready')
      .map(({ type, status: value }) => ({ type, status: value })),
    ...(status?.nodeInfo?.systemUUID ? { nodeInfo: { systemUUID: status.nodeInfo.systemUUID } } : {}),
  },
});
