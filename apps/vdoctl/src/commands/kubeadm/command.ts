import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, noColorOption } from '../../cli/options.ts';

export interface KubeadmFlags extends ClusterFlags {
  readonly kubernetes?: string;
  readonly clusterName?: string;
  readonly controlPlaneEndpoint?: string;
  readonly podSubnet?: string;
  readonly nodeName?: string;
  readonly criSocket: string;
}

export const kubeadmConfigCommand: CommandSpec<KubeadmFlags> = {
  path: ['kubeadm', 'config'],
  summary: 'Print the kubeadm configuration for nodes with an external cloud provider.',
  details:
    'Without --kubernetes, the file is for more nodes of the existing cluster: version, name, endpoint and pod network are read from it. With --kubernetes, no cluster is needed. Pass the file to kubeadm init --config for a new cluster, or to kubeadm join --config for more nodes.',
  options: [
    {
      flags: '--kubernetes <version>',
      description: 'Kubernetes version, such as 1.34.1 (default: read from the cluster)',
    },
    { flags: '--cluster-name <name>', description: 'name of the cluster' },
    { flags: '--control-plane-endpoint <host:port>', description: 'address shared by all control plane nodes' },
    {
      flags: '--pod-subnet <cidr>',
      description: 'pod network in CIDR notation, as configured in the CNI (default: 10.244.0.0/16)',
    },
    { flags: '--node-name <name>', description: 'node name (default: host name of the machine)' },
    {
      flags: '--cri-socket <url>',
      description: 'socket of the container runtime',
      default: 'unix:///run/containerd/containerd.sock',
    },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl kubeadm config', purpose: 'for more nodes of this cluster' },
    {
      command: 'vdoctl kubeadm config --kubernetes 1.34.1 > kubeadm.yaml',
      purpose: 'then run kubeadm init --config kubeadm.yaml',
    },
  ],
};
