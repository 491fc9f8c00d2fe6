import type { CsiSpec } from '@vdo/config/api/csi-spec';
import type { Deployment } from '@vdo/kube/types/workloads';
import { controllerSidecars, sidecarPorts } from './csi-sidecars.ts';
import { releaseImage } from './image-reference.ts';
import { configHashAnnotation, driverLabels } from './labels.ts';
import { names } from './names.ts';
import { csiContainer } from './node-runtime.ts';
import {
  configMount,
  configVolume,
  controlPlaneTolerations,
  podTemplate,
  preferControlPlane,
  probes,
  restricted,
  spreadByHost,
  spreadByZone,
} from './pod.ts';
import type { RenderContext } from './render-context.ts';

const healthPort = 9809;
const leaseNamespace = names.csiLeaseNamespace;

/** Ports on which the pods answer. */
export const csiControllerPorts = ({ sidecars }: CsiSpec): readonly number[] =>
  sidecars === 'Upstream' ? [healthPort, ...Object.values(sidecarPorts)] : [healthPort];

/** The controller role: gRPC service, provisioner and the other loops in one container. */
export const csiControllerDeployment = (spec: CsiSpec, context: RenderContext): Deployment => {
  const { release, namespace, images, advanced } = context;
  const labels = driverLabels(release);
  const selector = { app: names.csiController };
  const external = spec.sidecars === 'Upstream';
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: names.csiController, namespace, labels },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: selector },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: podTemplate({
        labels: { ...labels, ...selector, role: 'vsphere-csi' },
        annotations: { [configHashAnnotation]: context.configHash },
        images,
        adjust: advanced.csiController,
        pod: {
          serviceAccountName: names.csiController,
          dnsPolicy: 'Default',
          priorityClassName: 'system-cluster-critical',
          tolerations: controlPlaneTolerations,
          affinity: { ...preferControlPlane, ...spreadByHost(selector) },
          ...spreadByZone(spec.replicas, selector),
          terminationGracePeriodSeconds: 30,
          volumes: [configVolume, { name: 'socket', emptyDir: {} }],
        },
        container: {
          name: names.csiController,
          image: releaseImage(release, 'vdo', images.registry),
          command: [...csiContainer.command, '/app/csi.js'],
          env: csiContainer.env,
          args: [
            'controller',
            '--csi-endpoint=unix:///csi/csi.sock',
            `--vsphere-conf=${names.configFolder}/${names.configKey}`,
            '--bind-address=0.0.0.0',
            `--health-port=${healthPort}`,
            `--leader-election-namespace=${leaseNamespace}`,
            `--log-level=${advanced.logLevel}`,
            ...(external ? ['--sidecars=external'] : []),
          ],
          ports: [{ name: 'health', containerPort: healthPort, protocol: 'TCP' }],
          resources: { requests: { cpu: '20m', memory: '128Mi' } },
          securityContext: restricted({ openShift: context.openShift }),
          volumeMounts: [configMount, { name: 'socket', mountPath: '/csi' }],
          ...probes(healthPort),
        },
        sidecars: external ? controllerSidecars({ context, socketVolume: 'socket', leaseNamespace }) : [],
      }),
    },
  };
};
