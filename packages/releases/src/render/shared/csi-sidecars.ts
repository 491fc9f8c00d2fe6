import { names } from '@vdo/config/names';
import type { Container } from '@vdo/kube/types/core';
import { releaseImage } from './image-reference.ts';
import { restricted } from './pod.ts';
import type { RenderContext } from './render-context.ts';

const socket = '/csi/csi.sock';

export interface SidecarOptions {
  readonly context: RenderContext;
  /** Name of the volume with the CSI socket. */
  readonly socketVolume: string;
  /** Default: the namespace of the pod. */
  readonly leaseNamespace?: string;
}

interface Sidecar {
  /** Name of the container, as in upstream. */
  readonly name: string;
  /** Name in the release. */
  readonly image: string;
  /** Health and metrics. */
  readonly port: number;
  readonly args: readonly string[];
}

const verbosity: Readonly<Record<RenderContext['advanced']['logLevel'], number>> = {
  debug: 5,
  info: 4,
  warn: 2,
  error: 1,
};

const common = ({ context, leaseNamespace }: SidecarOptions, port: number): readonly string[] => [
  `--v=${verbosity[context.advanced.logLevel]}`,
  '--timeout=300s',
  `--csi-address=${socket}`,
  `--http-endpoint=:${port}`,
  '--leader-election',
  ...(leaseNamespace === undefined ? [] : [`--leader-election-namespace=${leaseNamespace}`]),
  '--leader-election-lease-duration=120s',
  '--leader-election-renew-deadline=60s',
  '--leader-election-retry-period=30s',
  '--kube-api-qps=100',
  '--kube-api-burst=100',
];

// Always set explicitly: from release 5 on the default is true, and without topology every claim would fail.
const topology = (labels: readonly string[]): readonly string[] =>
  labels.length > 0 ? ['--feature-gates=Topology=true', '--strict-topology'] : ['--feature-gates=Topology=false'];

/** Flags that upstream sets only for newer sidecars. */
export interface SidecarExtras {
  readonly attacher?: readonly string[];
  readonly resizer?: readonly string[];
  readonly snapshotter?: readonly string[];
}

const container = (sidecar: Sidecar, options: SidecarOptions): Container => {
  const { context, socketVolume } = options;
  const probe = { httpGet: { path: '/healthz/leader-election', port: sidecar.port } };
  return {
    name: sidecar.name,
    image: releaseImage(context.release, sidecar.image, context.images.registry),
    args: [...common(options, sidecar.port), ...sidecar.args],
    ports: [{ name: sidecar.name.replace('csi-', ''), containerPort: sidecar.port, protocol: 'TCP' }],
    resources: { requests: { cpu: '10m', memory: '32Mi' } },
    securityContext: restricted({ openShift: context.openShift }),
    volumeMounts: [{ name: socketVolume, mountPath: '/csi' }],
    livenessProbe: { ...probe, periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 6 },
  };
};

/** Ports of the sidecars of a controller pod. */
export const sidecarPorts = { attacher: 8081, resizer: 8082, provisioner: 8083, snapshotter: 8084 } as const;

/** The controllers of Kubernetes that call a CSI driver: attacher, resizer, provisioner and snapshotter. */
export const controllerSidecars = (options: SidecarOptions, extras: SidecarExtras = {}): readonly Container[] => {
  const { topologyLabels } = options.context;
  const sidecars: readonly Sidecar[] = [
    { name: 'csi-attacher', image: 'csi-attacher', port: sidecarPorts.attacher, args: extras.attacher ?? [] },
    {
      name: 'csi-resizer',
      image: 'csi-resizer',
      port: sidecarPorts.resizer,
      args: ['--handle-volume-inuse-error=false', ...(extras.resizer ?? [])],
    },
    {
      name: 'csi-provisioner',
      image: 'csi-provisioner',
      port: sidecarPorts.provisioner,
      args: ['--default-fstype=ext4', ...topology(topologyLabels)],
    },
    {
      name: 'csi-snapshotter',
      image: 'csi-snapshotter',
      port: sidecarPorts.snapshotter,
      args: extras.snapshotter ?? ['--extra-create-metadata'],
    },
  ];
  return sidecars.map((sidecar) => container(sidecar, options));
};

export interface NodeSidecarOptions {
  readonly context: RenderContext;
  readonly pluginVolume: string;
  readonly registrationVolume: string;
}

/** Registers the driver with the kubelet. It works in folders of the host, so it runs as root, without other permissions. */
export const registrarSidecar = ({ context, pluginVolume, registrationVolume }: NodeSidecarOptions): Container => {
  const path = `${context.advanced.kubeletPath}/plugins/${names.csiDriver}/csi.sock`;
  return {
    name: 'node-driver-registrar',
    image: releaseImage(context.release, 'csi-node-driver-registrar', context.images.registry),
    args: [
      `--v=${verbosity[context.advanced.logLevel]}`,
      `--csi-address=${socket}`,
      `--kubelet-registration-path=${path}`,
    ],
    resources: { requests: { cpu: '5m', memory: '16Mi' } },
    securityContext: hostFolderAccess(context),
    volumeMounts: [
      { name: pluginVolume, mountPath: '/csi' },
      { name: registrationVolume, mountPath: '/registration' },
    ],
    livenessProbe: {
      exec: {
        command: [
          '/csi-node-driver-registrar',
          `--kubelet-registration-path=${path}`,
          '--mode=kubelet-registration-probe',
        ],
      },
      initialDelaySeconds: 3,
      periodSeconds: 30,
      timeoutSeconds: 10,
    },
  };
};

/** SELinux, as on OpenShift, denies access to host folders to every container that is not privileged. */
const hostFolderAccess = ({ openShift }: RenderContext) => ({
  runAsUser: 0,
  ...(openShift ? { privileged: true } : { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }),
  readOnlyRootFilesystem: true,
  ...(openShift ? {} : { seccompProfile: { type: 'RuntimeDefault' } }),
});

/** Probes the driver for the kubelet, which cannot use CSI for this. */
export const livenessSidecar = (
  context: RenderContext,
  place: { readonly socketVolume: string; readonly port: number; readonly onHost: boolean },
): Container => ({
  name: 'liveness-probe',
  image: releaseImage(context.release, 'livenessprobe', context.images.registry),
  args: [`--v=${verbosity[context.advanced.logLevel]}`, `--csi-address=${socket}`, `--health-port=${place.port}`],
  resources: { requests: { cpu: '5m', memory: '16Mi' } },
  securityContext: place.onHost ? hostFolderAccess(context) : restricted({ openShift: context.openShift }),
  volumeMounts: [{ name: place.socketVolume, mountPath: '/csi' }],
});
