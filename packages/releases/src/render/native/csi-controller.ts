import type { CsiSpec } from '@vdo/config/api/csi-spec';
import { names } from '@vdo/config/names';
import type { Container } from '@vdo/kube/types/core';
import type { Deployment } from '@vdo/kube/types/workloads';
import { controllerSidecars, sidecarPorts } from '../shared/csi-sidecars.ts';
import { csiControllerWorkload } from '../shared/csi-workloads.ts';
import { releaseImage } from '../shared/image-reference.ts';
import { podServing } from '../shared/metrics-serving.ts';
import { csiContainer } from '../shared/node-runtime.ts';
import { configMount, configVolume, probes, restricted } from '../shared/pod.ts';
import type { RenderContext } from '../shared/render-context.ts';

const healthPort = 9809;
const metricsPort = 9819;
const leaseNamespace = names.upstreamCsiNamespace;

/** Ports of the pods. */
export const csiControllerPorts = ({ sidecars }: CsiSpec): readonly number[] =>
  sidecars === 'Upstream' ? [healthPort, metricsPort, ...Object.values(sidecarPorts)] : [healthPort, metricsPort];

/** The controller role: gRPC service, provisioner and the other loops in one container. */
export const csiControllerDeployment = (spec: CsiSpec, context: RenderContext): Deployment => {
  const { release, images, advanced } = context;
  const external = spec.sidecars === 'Upstream';
  const serving = podServing(release, { healthPort, metricsPort });
  const container: Container = {
    name: names.csiController,
    image: releaseImage(release, 'vdo', images.registry),
    command: [...csiContainer.command, '/app/csi.js'],
    env: csiContainer.env,
    args: [
      'controller',
      '--csi-endpoint=unix:///csi/csi.sock',
      `--vsphere-conf=${names.configFolder}/${names.configKey}`,
      ...serving.args,
      `--leader-election-namespace=${leaseNamespace}`,
      `--log-level=${advanced.logLevel}`,
      ...(external ? ['--sidecars=external'] : []),
    ],
    ports: serving.ports,
    resources: { requests: { cpu: '20m', memory: '128Mi' }, limits: { memory: '1Gi' } },
    securityContext: restricted({ openShift: context.openShift }),
    volumeMounts: [configMount, ...serving.mounts, { name: 'socket', mountPath: '/csi' }],
    ...probes(healthPort),
  };
  return csiControllerWorkload(context, {
    container,
    sidecars: external ? controllerSidecars({ context, socketVolume: 'socket', leaseNamespace }) : [],
    volumes: [configVolume(context.reads), ...serving.volumes, { name: 'socket', emptyDir: {} }],
  });
};
