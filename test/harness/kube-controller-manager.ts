import type { Authority } from './certificates.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';

/**
 * The controllers that work without a cloud and without a kubelet: they create service accounts, empty namespaces,
 * bind and attach volumes, collect garbage and turn workloads into pods (which stay pending).
 */
export const standardControllers = [
  'clusterrole-aggregation-controller',
  'daemonset-controller',
  'deployment-controller',
  'ephemeral-volume-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-attach-detach-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'replicaset-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'statefulset-controller',
] as const;

/** Starts kube-controller-manager with just these controllers. */
export function startControllerManager(options: {
  readonly kubeconfigPath: string;
  readonly authority: Authority;
  readonly serviceAccountKeyPath: string;
  readonly controllers: readonly string[];
}): LoggedProcess {
  return spawnLogged(
    partPath('kube-controller-manager'),
    [
      `--kubeconfig=${options.kubeconfigPath}`,
      `--controllers=${options.controllers.join(',')}`,
      `--service-account-private-key-file=${options.serviceAccountKeyPath}`,
      `--root-ca-file=${options.authority.certPath}`,
      '--leader-elect=false',
      '--secure-port=0',
    ],
    { name: 'kube-controller-manager' },
  );
}
