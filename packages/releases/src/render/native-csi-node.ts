import type { CsiSpec } from '@vdo/config/api/csi-spec';
import type { DaemonSet } from '@vdo/kube/types/workloads';
import { registrarSidecar } from './csi-sidecars.ts';
import { hostPorts } from './host-ports.ts';
import { releaseImage } from './image-reference.ts';
import { driverLabels } from './labels.ts';
import { names } from './names.ts';
import { csiContainer } from './node-runtime.ts';
import { podTemplate, probes } from './pod.ts';
import { requiredScc } from './protection.ts';
import type { RenderContext } from './render-context.ts';

const healthPort = hostPorts.csiNode;

const hostFolder = (name: string, path: string, type: string) => ({ name, hostPath: { path, type } });

/** The node role: stages and mounts volumes, registers itself with the kubelet. It knows no vCenter and no account. */
export const csiNodeDaemonSet = (spec: CsiSpec, context: RenderContext): DaemonSet => {
  const external = spec.sidecars === 'Upstream';
  const { release, namespace, images, advanced } = context;
  const { kubeletPath } = advanced;
  const labels = driverLabels(release);
  const selector = { app: names.csiNode };
  const pluginFolder = `${kubeletPath}/plugins/${names.csiDriver}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: names.csiNode, namespace, labels },
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: podTemplate({
        labels: { ...labels, ...selector, role: 'vsphere-csi' },
        annotations: requiredScc('privileged', context.openShift),
        images,
        adjust: advanced.csiNode,
        pod: {
          serviceAccountName: names.csiNode,
          hostNetwork: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          priorityClassName: 'system-node-critical',
          // Volumes must come off a node in any state.
          tolerations: [{ operator: 'Exists' }],
          terminationGracePeriodSeconds: 30,
          volumes: [
            hostFolder('registration', `${kubeletPath}/plugins_registry`, 'Directory'),
            hostFolder('plugin', pluginFolder, 'DirectoryOrCreate'),
            hostFolder('kubelet', kubeletPath, 'Directory'),
            hostFolder('devices', '/dev', 'Directory'),
            hostFolder('sys', '/sys', 'Directory'),
            hostFolder('udev', '/run/udev', 'DirectoryOrCreate'),
          ],
        },
        container: {
          name: names.csiNode,
          image: releaseImage(release, 'vdo', images.registry),
          command: [...csiContainer.command, '/app/csi.js'],
          args: [
            'node',
            '--csi-endpoint=unix:///csi/csi.sock',
            '--registration-dir=/registration',
            `--kubelet-registration-path=${pluginFolder}/csi.sock`,
            '--node-name=$(NODE_NAME)',
            ...(context.topologyLabels.length > 0 ? [`--topology-labels=${context.topologyLabels.join(',')}`] : []),
            '--sysfs-root=/sys',
            '--bind-address=0.0.0.0',
            `--health-port=${healthPort}`,
            `--log-level=${advanced.logLevel}`,
            ...(external ? ['--no-register'] : []),
          ],
          env: [...csiContainer.env, { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
          ports: [{ name: 'health', containerPort: healthPort, protocol: 'TCP' }],
          resources: { requests: { cpu: '10m', memory: '64Mi' } },
          // Mounting, formatting and SCSI rescans are not possible otherwise.
          securityContext: { privileged: true, runAsUser: 0, readOnlyRootFilesystem: true },
          volumeMounts: [
            { name: 'plugin', mountPath: '/csi' },
            { name: 'registration', mountPath: '/registration' },
            { name: 'kubelet', mountPath: kubeletPath, mountPropagation: 'Bidirectional' },
            { name: 'devices', mountPath: '/dev' },
            { name: 'sys', mountPath: '/sys' },
            { name: 'udev', mountPath: '/run/udev', readOnly: true },
          ],
          ...probes(healthPort),
        },
        sidecars: external
          ? [registrarSidecar({ context, pluginVolume: 'plugin', registrationVolume: 'registration' })]
          : [],
      }),
    },
  };
};
