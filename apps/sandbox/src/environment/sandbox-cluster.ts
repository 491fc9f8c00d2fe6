import type { KubeClient } from '@vdo/kube/client';

/** The Kubernetes API that the sandbox uses. */
export interface SandboxCluster {
  /** `embedded API server`: for the progress output. */
  readonly kind: string;
  /** An external cluster; `hasNodes`: it has nodes, which run the pods. */
  readonly outside?: { readonly hasNodes: boolean; readonly context?: string };
  readonly kube: KubeClient;
  /** The pod address to report to the API server. Default: the address on which the pod listens. */
  readonly shownAddress?: (address: string) => string;
  readonly url: string;
  /** With administrator permissions. */
  readonly kubeconfigPath: string;
  /** A kubeconfig with the permissions of a ServiceAccount, as in a pod. */
  accountConfig(namespace: string, account: string): Promise<string>;
  stop(): Promise<void>;
}
