import type { CsiSpec } from '@vdo/config/api/csi-spec';
import { names } from '@vdo/config/names';
import type { Container } from '@vdo/kube/types/core';
import type { DaemonSet } from '@vdo/kube/types/workloads';
import { nodeImageOf, servesMetricsApart } from '../layouts.ts';
import { registrarSidecar } from '../shared/csi-sidecars.ts';
import { csiNodeWorkload, hostFolder } from '../shared/csi-workloads.ts';
import { hostPorts } from '../shared/host-ports.ts';
import { releaseImage } from '../shared/image-reference.ts';
import { csiContainer } from '../shared/node-runtime.ts';
import { healthArgs, probes } from '../shared/pod.ts';
import type { RenderContext } from '../shared/render-context.ts';

const healthPort = hostPorts.csiNode;

/** The node role: formats and mounts volumes, registers with the kubelet. It knows no vCenter and no account. */
export const csiNodeDaemonSet = (spec: CsiSpec, context: RenderContext): DaemonSet => {
  const external = spec.sidecars === 'Upstream';
  const { release, images, advanced } = context;
  const { kubeletPath } = advanced;
  // Programs of the first layout serve their metrics there, too.
  const onLoopback = servesMetricsApart(release);
  const pluginFolder = `${kubeletPath}/plugins/${names.csiDriver}`;
  const container: Container = {
    name: names.csiNode,
    image: releaseImage(release, nodeImageOf(release), images.registry),
    command: [...csiContainer.command, '/app/csi.js'],
    args: [
      'node',
      '--csi-endpoint=unix:///csi/csi.sock',
      '--registration-dir=/registration',
      `--kubelet-registration-path=${pluginFolder}/csi.sock`,
      '--node-name=$(NODE_NAME)',
      ...(context.topologyLabels.length > 0 ? [`--topology-labels=${context.topologyLabels.join(',')}`] : []),
      '--sysfs-root=/sys',
      ...healthArgs(healthPort, onLoopback),
      `--log-level=${advanced.logLevel}`,
      ...(external ? ['--no-register'] : []),
    ],
    env: [...csiContainer.env, { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    ports: [{ name: 'health', containerPort: healthPort, protocol: 'TCP' }],
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '512Mi' } },
    // Mounting, formatting and SCSI rescans need these permissions.
    securityContext: { privileged: true, runAsUser: 0, readOnlyRootFilesystem: true },
    volumeMounts: [
      { name: 'plugin', mountPath: '/csi' },
      { name: 'registration', mountPath: '/registration' },
      { name: 'kubelet', mountPath: kubeletPath, mountPropagation: 'Bidirectional' },
      { name: 'devices', mountPath: '/dev' },
      { name: 'sys', mountPath: '/sys' },
      { name: 'udev', mountPath: '/run/udev', readOnly: true },
    ],
    ...probes(healthPort, { onHost: onLoopback }),
  };
  return csiNodeWorkload(context, {
    container,
    sidecars: external
      ? [registrarSidecar({ context, pluginVolume: 'plugin', registrationVolume: 'registration' })]
      : [],
    volumes: [
      hostFolder('registration', `${kubeletPath}/plugins_registry`, 'Directory'),
      hostFolder('plugin', pluginFolder, 'DirectoryOrCreate'),
      hostFolder('kubelet', kubeletPath, 'Directory'),
      hostFolder('devices', '/dev', 'Directory'),
      hostFolder('sys', '/sys', 'Directory'),
      hostFolder('udev', '/run/udev', 'DirectoryOrCreate'),
    ],
  });
};
