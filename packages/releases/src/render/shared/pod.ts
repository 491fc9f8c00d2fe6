import type { ComponentSpec } from '@vdo/config/api/advanced-spec';
import type { ImagesSpec } from '@vdo/config/api/updates-spec';
import { labelKeys, names, taintKeys } from '@vdo/config/names';
import type { Container, PodSpec, Toleration, Volume } from '@vdo/kube/types/core';
import type { PodTemplate } from '@vdo/kube/types/workloads';
import type { DriverReads } from './render-context.ts';

/** In a new cluster, every node is tainted, and neither pod network nor DNS exist; pods that must run then tolerate all of that. */
export const bootstrapTolerations: readonly Toleration[] = [
  { key: taintKeys.uninitialized, operator: 'Exists' },
  { key: taintKeys.notReady, operator: 'Exists' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists' },
  { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists' },
  { key: labelKeys.controlPlane, operator: 'Exists' },
  { key: 'node-role.kubernetes.io/master', operator: 'Exists' },
];

export const controlPlaneTolerations: readonly Toleration[] = [
  { key: labelKeys.controlPlane, operator: 'Exists' },
  { key: 'node-role.kubernetes.io/master', operator: 'Exists' },
];

/** Control plane nodes preferred, but clusters with their control plane elsewhere work, too. */
export const preferControlPlane = {
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 100,
        preference: { matchExpressions: [{ key: labelKeys.controlPlane, operator: 'Exists' }] },
      },
    ],
  },
} as const;

/** Replicas on different nodes if there are several. */
export const spreadByHost = (matchLabels: Readonly<Record<string, string>>) => ({
  podAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 100, podAffinityTerm: { labelSelector: { matchLabels }, topologyKey: 'kubernetes.io/hostname' } },
    ],
  },
});

/** As the restricted level of pod security requires. OpenShift assigns each namespace its own range of users. */
export const restricted = (options: { readonly openShift?: boolean; readonly writableRoot?: boolean } = {}) => ({
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  ...(options.writableRoot ? {} : { readOnlyRootFilesystem: true }),
  runAsNonRoot: true,
  ...(options.openShift ? {} : { runAsUser: 65_532, runAsGroup: 65_532 }),
  seccompProfile: { type: 'RuntimeDefault' },
});

/** Replicas in different zones and on different nodes if there are several. */
export const spreadByZone = (replicas: number, matchLabels: Readonly<Record<string, string>>) =>
  replicas < 2
    ? {}
    : {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: labelKeys.zone,
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels },
          },
        ],
      };

export const configVolume = ({ configMap }: DriverReads): Volume => ({
  name: 'config',
  configMap: { name: configMap },
});
export const configMount = { name: 'config', mountPath: names.configFolder, readOnly: true } as const;

const loopback = '127.0.0.1';

/** On the network of the host, only the kubelet of that host may call; on the pod network, a policy decides who may. */
export const healthArgs = (port: number, onHost: boolean, flag = '--bind-address'): readonly string[] => [
  `${flag}=${onHost ? loopback : '0.0.0.0'}`,
  `--health-port=${port}`,
];

/** Liveness must not depend on vCenter: it only shows that the process answers. */
export const probes = (
  port: number,
  { onHost = false, scheme = 'HTTP' }: { readonly onHost?: boolean; readonly scheme?: 'HTTP' | 'HTTPS' } = {},
) => {
  const host = onHost ? { host: loopback } : {};
  const get = (path: string) => ({ httpGet: { path, port, scheme, ...host } });
  return {
    startupProbe: { ...get('/healthz'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...get('/healthz'), periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 6 },
    readinessProbe: { ...get('/readyz'), periodSeconds: 5, timeoutSeconds: 3 },
  };
};

export interface PodParts {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly container: Container;
  /** Containers beside the main one; arguments, variables and resources from the user do not apply to them. */
  readonly sidecars?: readonly Container[];
  readonly pod: Omit<PodSpec, 'containers'>;
  readonly images: ImagesSpec;
  /** The user's adjustments. */
  readonly adjust: ComponentSpec | undefined;
}

/** Builds a pod template, with the user's adjustments applied last. */
export const podTemplate = (parts: PodParts): PodTemplate => {
  const { labels, annotations, container, sidecars = [], pod, images, adjust } = parts;
  const env = Object.entries(adjust?.env ?? {}).map(([name, value]) => ({ name, value }));
  const pullSecrets = images.pullSecrets.map((name) => ({ name }));
  const priorityClassName = adjust?.priorityClassName ?? pod.priorityClassName;
  return {
    metadata: {
      labels: { ...adjust?.labels, ...labels },
      annotations: { ...adjust?.annotations, ...annotations },
    },
    spec: {
      ...pod,
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
      nodeSelector: { 'kubernetes.io/os': 'linux', ...adjust?.nodeSelector },
      tolerations: [...(pod.tolerations ?? []), ...(adjust?.tolerations ?? []).map(cleanToleration)],
      ...(pullSecrets.length > 0 ? { imagePullSecrets: pullSecrets } : {}),
      containers: [
        {
          ...container,
          imagePullPolicy: images.pullPolicy,
          args: [...(container.args ?? []), ...(adjust?.extraArgs ?? [])],
          ...(env.length > 0 || container.env ? { env: [...(container.env ?? []), ...env] } : {}),
          resources: adjust?.resources ?? container.resources ?? {},
        },
        ...sidecars.map((sidecar) => ({ ...sidecar, imagePullPolicy: images.pullPolicy })),
      ],
    },
  };
};

const cleanToleration = ({ key, operator, value, effect }: ComponentSpec['tolerations'][number]): Toleration => ({
  ...(key === undefined ? {} : { key }),
  operator,
  ...(value === undefined ? {} : { value }),
  ...(effect === undefined ? {} : { effect }),
});
