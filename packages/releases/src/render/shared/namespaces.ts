import type { Namespace } from '@vdo/kube/types/core';
import { managedLabels } from './labels.ts';

/** Pods on the host network and with mounts of the host need this level. */
export const privilegedLevel = {
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
} as const;

/** A namespace of drivers with access to the host. */
export const privilegedNamespace = (name: string): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { ...managedLabels, ...privilegedLevel } },
});
