import { names } from '@vdo/config/names';
import type { Container } from '@vdo/kube/types/core';
import type { DaemonSet } from '@vdo/kube/types/workloads';
import { livenessSidecar, registrarSidecar } from '../shared/csi-sidecars.ts';
import { csiNodeWorkload, hostFolder } from '../shared/csi-workloads.ts';
import { hostPorts } from '../shared/host-ports.ts';
import { releaseImage } from '../shared/image-reference.ts';
import type { RenderContext } from '../shared/render-context.ts';
import { featureArgs, loggerLevel, namespaceVariable } from './csi-controller.ts';
import { upstreamCsiFeatures } from './csi-features.ts';

const healthPort = hostPorts.csiNode;

const driverContainer = (context: RenderContext): Container => {
  const { release, images, advanced } = context;
  const env = {
    CSI_ENDPOINT: 'unix:///csi/csi.sock',
    X_CSI_MODE: 'node',
    X_CSI_SPEC_REQ_VALIDATION: 'false',
    X_CSI_SPEC_DISABLE_LEN_CHECK: 'true',
    LOGGER_LEVEL: loggerLevel(context),
    NODEGETINFO_WATCH_TIMEOUT_MINUTES: '1',
    ...upstreamCsiFeatures(release.version).nodeEnv,
  };
  return {
    name: names.csiNode,
    image: releaseImage(release, 'driver', images.registry),
    args: featureArgs,
    env: [
      { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ...Object.entries(env).map(([name, value]) => ({ name, value })),
      namespaceVariable,
    ],
    ports: [{ name: 'healthz', containerPort: healthPort, protocol: 'TCP' }],
    resources: { requests: { cpu: '10m', memory: '64Mi' } },
    // Mounting, formatting and SCSI rescans need these permissions.
    securityContext: { privileged: true, allowPrivilegeEscalation: true, capabilities: { add: ['SYS_ADMIN'] } },
    volumeMounts: [
      { name: 'plugin-dir', mountPath: '/csi' },
      { name: 'pods-mount-dir', mountPath: advanced.kubeletPath, mountPropagation: 'Bidirectional' },
      { name: 'device-dir', mountPath: '/dev' },
      { name: 'blocks-dir', mountPath: '/sys/block' },
      { name: 'sys-devices-dir', mountPath: '/sys/devices' },
    ],
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'healthz' },
      initialDelaySeconds: 10,
      timeoutSeconds: 5,
      periodSeconds: 5,
      failureThreshold: 3,
    },
  };
};

/** The node pods of the upstream storage driver. */
export const upstreamCsiNode = (context: RenderContext): DaemonSet => {
  const { kubeletPath } = context.advanced;
  return csiNodeWorkload(context, {
    container: driverContainer(context),
    sidecars: [
      registrarSidecar({ context, pluginVolume: 'plugin-dir', registrationVolume: 'registration-dir' }),
      livenessSidecar(context, { socketVolume: 'plugin-dir', port: healthPort, onHost: true }),
    ],
    volumes: [
      hostFolder('registration-dir', `${kubeletPath}/plugins_registry`, 'Directory'),
      hostFolder('plugin-dir', `${kubeletPath}/plugins/${names.csiDriver}`, 'DirectoryOrCreate'),
      hostFolder('pods-mount-dir', kubeletPath, 'Directory'),
      hostFolder('device-dir', '/dev', 'Directory'),
      hostFolder('blocks-dir', '/sys/block', 'Directory'),
      hostFolder('sys-devices-dir', '/sys/devices', 'Directory'),
    ],
  });
};
