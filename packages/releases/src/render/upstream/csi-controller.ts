import { parseDurationMs } from '@vdo/config/duration';
import { leaseNames, names, upstreamNames } from '@vdo/config/names';
import type { Container } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { controllerSidecars, livenessSidecar, sidecarPorts } from '../shared/csi-sidecars.ts';
import { csiControllerWorkload } from '../shared/csi-workloads.ts';
import { egressRules } from '../shared/egress.ts';
import { releaseImage } from '../shared/image-reference.ts';
import { driverLabels } from '../shared/labels.ts';
import { restricted } from '../shared/pod.ts';
import { disruptionBudget, networkPolicy } from '../shared/protection.ts';
import type { RenderContext } from '../shared/render-context.ts';
import { type UpstreamCsiFeatures, upstreamCsiFeatures } from './csi-features.ts';
import { upstreamObjects } from './objects.ts';

const healthPort = 9808;
const metricsPorts = { driver: 2112, syncer: 2113 } as const;
const configMount = { name: 'vsphere-config-volume', mountPath: names.configFolder, readOnly: true } as const;
const socketMount = { name: 'socket-dir', mountPath: '/csi' } as const;

const variables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** The variable from which the upstream programs read the namespace of their ConfigMaps. */
export const namespaceVariable = {
  name: 'CSI_NAMESPACE',
  valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } },
} as const;

/** The upstream programs have two levels. */
export const loggerLevel = ({ advanced }: RenderContext): string =>
  advanced.logLevel === 'debug' ? 'DEVELOPMENT' : 'PRODUCTION';

export const featureArgs: readonly string[] = [
  `--fss-name=${upstreamObjects.csiFeatures}`,
  '--fss-namespace=$(CSI_NAMESPACE)',
];

const clientVariables = (context: RenderContext, features: UpstreamCsiFeatures) => [
  ...variables({
    VSPHERE_CSI_CONFIG: `/etc/cloud/${upstreamNames.csiConfigKey}`,
    LOGGER_LEVEL: loggerLevel(context),
    INCLUSTER_CLIENT_QPS: '100',
    INCLUSTER_CLIENT_BURST: '100',
    ...features.driverEnv,
  }),
  namespaceVariable,
];

const driverContainer = (context: RenderContext, features: UpstreamCsiFeatures): Container => ({
  name: names.csiController,
  image: releaseImage(context.release, 'driver', context.images.registry),
  args: [...featureArgs, ...features.driverArgs],
  env: [
    ...variables({
      CSI_ENDPOINT: 'unix:///csi/csi.sock',
      X_CSI_MODE: 'controller',
      X_CSI_SPEC_DISABLE_LEN_CHECK: 'true',
      X_CSI_SERIAL_VOL_ACCESS_TIMEOUT: '3m',
    }),
    ...clientVariables(context, features),
  ],
  ports: [
    { name: 'healthz', containerPort: healthPort, protocol: 'TCP' },
    { name: 'prometheus', containerPort: metricsPorts.driver, protocol: 'TCP' },
  ],
  resources: { requests: { cpu: '20m', memory: '128Mi' } },
  securityContext: restricted({ openShift: context.openShift, writableRoot: true }),
  volumeMounts: [configMount, socketMount],
  livenessProbe: {
    httpGet: { path: '/healthz', port: 'healthz' },
    initialDelaySeconds: 30,
    timeoutSeconds: 10,
    periodSeconds: 180,
    failureThreshold: 3,
  },
  readinessProbe: { httpGet: { path: '/healthz', port: 'healthz' }, periodSeconds: 10, timeoutSeconds: 10 },
});

const syncerContainer = (context: RenderContext, features: UpstreamCsiFeatures): Container => {
  const fullSync = parseDurationMs(context.advanced.volumes?.fullSyncInterval ?? '30m') ?? 0;
  return {
    name: leaseNames.syncer,
    image: releaseImage(context.release, 'syncer', context.images.registry),
    args: [
      '--leader-election',
      `--leader-election-lease-duration=${features.syncerLease.duration}`,
      `--leader-election-renew-deadline=${features.syncerLease.renewal}`,
      `--leader-election-retry-period=${features.syncerLease.retry}`,
      ...featureArgs,
      ...features.driverArgs,
    ],
    env: [
      ...variables({ FULL_SYNC_INTERVAL_MINUTES: String(Math.max(1, Math.ceil(fullSync / 60_000))) }),
      ...clientVariables(context, features),
    ],
    ports: [{ name: 'prometheus-sync', containerPort: metricsPorts.syncer, protocol: 'TCP' }],
    resources: { requests: { cpu: '20m', memory: '64Mi' } },
    securityContext: restricted({ openShift: context.openShift, writableRoot: true }),
    volumeMounts: [configMount],
    livenessProbe: {
      tcpSocket: { port: metricsPorts.syncer },
      initialDelaySeconds: 30,
      periodSeconds: 60,
      failureThreshold: 5,
    },
  };
};

const deployment = (context: RenderContext): Deployment => {
  const features = upstreamCsiFeatures(context.release.version);
  const socketVolume = socketMount.name;
  return csiControllerWorkload(context, {
    container: driverContainer(context, features),
    sidecars: [
      ...controllerSidecars({ context, socketVolume }, features.sidecars),
      livenessSidecar(context, { socketVolume, port: healthPort, onHost: false }),
      syncerContainer(context, features),
    ],
    volumes: [
      { name: configMount.name, secret: { secretName: upstreamNames.csiConfigSecret } },
      { name: socketVolume, emptyDir: {} },
    ],
  });
};

/** The Service through which metrics are found. */
const service = (context: RenderContext): KubeObject & { readonly spec: unknown } => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: names.csiController,
    namespace: context.namespace,
    labels: { ...driverLabels(context.release), app: names.csiController },
  },
  spec: {
    selector: { app: names.csiController },
    ports: [
      { name: 'ctlr', port: metricsPorts.driver, targetPort: metricsPorts.driver, protocol: 'TCP' },
      { name: 'syncer', port: metricsPorts.syncer, targetPort: metricsPorts.syncer, protocol: 'TCP' },
    ],
  },
});

/** The controller of the upstream storage driver, with its sidecars. */
export const upstreamCsiController = (context: RenderContext): readonly KubeObject[] => {
  const labels = driverLabels(context.release);
  const pods = {
    name: names.csiController,
    namespace: context.namespace,
    labels,
    selector: { app: names.csiController },
  };
  return [
    service(context),
    networkPolicy(pods, {
      ports: [healthPort, ...Object.values(metricsPorts), ...Object.values(sidecarPorts)],
      egress: egressRules(context, { vcenters: true }),
    }),
    ...disruptionBudget(pods, context.replicas),
    deployment(context),
  ];
};
