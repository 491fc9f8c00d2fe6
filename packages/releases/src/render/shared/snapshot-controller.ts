import { names } from '@vdo/config/names';
import type { Container } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { bindMetricsReviews } from '../roles/bind-metrics-reviews.ts';
import { bindDriverRole } from '../roles/driver-role.ts';
import { snapshotControllerRoles } from '../roles/shared-roles.ts';
import { egressRules } from './egress.ts';
import { releaseImage } from './image-reference.ts';
import { managedLabels } from './labels.ts';
import { podServing } from './metrics-serving.ts';
import { csiContainer } from './node-runtime.ts';
import {
  controlPlaneTolerations,
  podTemplate,
  preferControlPlane,
  probes,
  restricted,
  spreadByHost,
  spreadByZone,
} from './pod.ts';
import { disruptionBudget, networkPolicy } from './protection.ts';
import { serviceAccount } from './rbac.ts';
import type { RenderContext } from './render-context.ts';

const healthPort = 9812;
const metricsPort = 9822;
const servingOf = ({ release }: RenderContext) => podServing(release, { healthPort, metricsPort });

// Not part of the storage driver: it serves the snapshots of every driver in the cluster.
const labels = { ...managedLabels, 'app.kubernetes.io/name': names.snapshotController } as const;
const selector = { 'app.kubernetes.io/name': names.snapshotController } as const;

const nativeContainer = (context: RenderContext): Container => ({
  name: names.snapshotController,
  image: releaseImage(context.release, 'vdo', context.images.registry),
  command: [...csiContainer.command, '/app/csi.js'],
  env: csiContainer.env,
  args: [
    names.snapshotController,
    `--leader-election-namespace=${names.systemNamespace}`,
    ...servingOf(context).args,
    `--log-level=${context.advanced.logLevel}`,
  ],
  ports: servingOf(context).ports,
  resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '512Mi' } },
  volumeMounts: servingOf(context).mounts,
  securityContext: restricted({ openShift: context.openShift }),
  ...probes(healthPort),
});

const upstreamContainer = (context: RenderContext): Container => ({
  name: names.snapshotController,
  image: releaseImage(context.release, names.snapshotController, context.images.registry),
  args: [
    '--v=2',
    '--leader-election=true',
    `--leader-election-namespace=${names.systemNamespace}`,
    `--http-endpoint=:${healthPort}`,
  ],
  ports: [{ name: 'health', containerPort: healthPort, protocol: 'TCP' }],
  resources: { requests: { cpu: '10m', memory: '32Mi' } },
  securityContext: restricted({ openShift: context.openShift }),
  livenessProbe: {
    httpGet: { path: '/healthz/leader-election', port: healthPort },
    periodSeconds: 30,
    timeoutSeconds: 10,
    failureThreshold: 6,
  },
});

const deployment = (context: RenderContext): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: names.snapshotController, namespace: context.namespace, labels },
  spec: {
    replicas: context.replicas,
    selector: { matchLabels: selector },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: podTemplate({
      labels,
      annotations: {},
      images: context.images,
      adjust: undefined,
      pod: {
        serviceAccountName: names.snapshotController,
        priorityClassName: 'system-cluster-critical',
        tolerations: controlPlaneTolerations,
        affinity: { ...preferControlPlane, ...spreadByHost(selector) },
        ...spreadByZone(context.replicas, selector),
        terminationGracePeriodSeconds: 30,
        ...(context.release.distribution === 'Native' ? { volumes: servingOf(context).volumes } : {}),
      },
      container: context.release.distribution === 'Native' ? nativeContainer(context) : upstreamContainer(context),
    }),
  },
});

/** The controller that every cluster with snapshots needs once. It holds the Lease of the upstream one, so that two never act. */
export const renderSnapshotController = (context: RenderContext): readonly KubeObject[] => {
  const { namespace } = context;
  const subject = { namespace, serviceAccount: names.snapshotController, labels };
  const pods = { name: names.snapshotController, namespace, labels, selector };
  const { controller, leases } = snapshotControllerRoles;
  return [
    serviceAccount(subject),
    bindDriverRole(controller, subject),
    ...bindMetricsReviews(context.release, subject),
    bindDriverRole(leases, subject, { namespace: names.systemNamespace }),
    networkPolicy(pods, {
      ports: context.release.distribution === 'Native' ? [healthPort, metricsPort] : [healthPort],
      egress: egressRules(context, { vcenters: false }),
    }),
    ...disruptionBudget(pods, context.replicas),
    deployment(context),
  ];
};
