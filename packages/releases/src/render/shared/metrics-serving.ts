import { names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { servesMetricsApart } from '../layouts.ts';
import { healthArgs } from './pod.ts';
import { clusterRole, rule, type Subject, serviceAccount } from './rbac.ts';

const folder = '/etc/vdo/tls';

/** A certificate for the metrics, if somebody created one in the namespace; without it, each program makes its own. */
export const metricsTlsVolume = {
  name: 'metrics-tls',
  secret: { secretName: names.metricsTlsSecret, optional: true },
} as const;
export const metricsTlsMount = { name: metricsTlsVolume.name, mountPath: folder, readOnly: true } as const;
export const certDirArg = `--cert-dir=${folder}`;

export const metricsArgs = (port: number): readonly string[] => [
  '--metrics-bind-address=0.0.0.0',
  `--metrics-port=${port}`,
  certDirArg,
];

/** What a program on the pod network needs to serve health and metrics in the way of its release. */
export const podServing = (
  release: { readonly layout: string },
  { healthPort, metricsPort }: { readonly healthPort: number; readonly metricsPort: number },
) => {
  const health = { name: 'health', containerPort: healthPort, protocol: 'TCP' };
  const args = healthArgs(healthPort, false);
  if (!servesMetricsApart(release)) return { args, ports: [health], volumes: [], mounts: [] };
  return {
    args: [...args, ...metricsArgs(metricsPort)],
    ports: [health, { name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }],
    volumes: [metricsTlsVolume],
    mounts: [metricsTlsMount],
  };
};

/** Permission to ask the API server whose token a request has, and what its owner may read. */
export const reviewRules: readonly PolicyRule[] = [
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
];

/** An account that may read what the programs serve. Bind the ClusterRole of the metrics to the account of Prometheus as well. */
export const metricsReader = ({ namespace, labels }: Pick<Subject, 'namespace' | 'labels'>): readonly KubeObject[] => {
  const subject = { namespace, serviceAccount: names.metricsReader, labels };
  return [
    serviceAccount(subject),
    ...clusterRole(names.metricsReader, subject, [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]),
    // Separate, so that Prometheus does not get it: where volumes are stored, for vdoctl dashboard.
    ...clusterRole(names.inventoryReader, subject, [{ nonResourceURLs: ['/inventory'], verbs: ['get'] }]),
  ];
};
