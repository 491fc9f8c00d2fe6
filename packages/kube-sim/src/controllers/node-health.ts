import type { Node } from '@vdo/kube/types/core';

export const isNodeReady = (node: Node | undefined): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** An administrator has confirmed that the machine is powered off: nothing runs there any more. */
export const isOutOfService = (node: Node | undefined): boolean =>
  node?.spec.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service') ?? false;
