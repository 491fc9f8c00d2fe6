import type { KubeClient } from '@vdo/kube/client';

/** The Kubernetes API that the sandbox works on. */
export interface SandboxCluster {
  /** `embedded API server`: for the line that tells what runs. */
  readonly kind: string;
  /** It is somebody else's; `hasNodes`: with nodes of its own, which run the pods. */
  readonly outside?: { readonly hasNodes: boolean; readonly context?: string };
  readonly kube: KubeClient;
  /** What it is to be told about the address that a pod listens on. Default: the same. */
  readonly shownAddress?: (address: string) => string;
  readonly url: string;
  /** With the rights of an administrator. */
  readonly kubeconfigPath: string;
  /** A kubeconfig with the rights of a ServiceAccount, as a pod would have them. */
  accountConfig(namespace: string, account: string): Promise<string>;
  stop(): Promise<void>;
}
