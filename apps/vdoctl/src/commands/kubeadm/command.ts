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
  summary: 'Print the kubeadm file for a cluster whose nodes are initialized by an external cloud provider.',
  details:
    'Without --kubernetes it is for further nodes of the cluster that is there: version, name, address and pod network are read from it. With it no cluster is needed. The file is for kubeadm init --config; its JoinConfiguration is for kubeadm join --config on further nodes.',
  options: [
    {
      flags: '--kubernetes <version>',
      description: 'version of Kubernetes, such as 1.34.1 (default: that of the cluster)',
    },
    { flags: '--cluster-name <name>', description: 'name of the cluster' },
    { flags: '--control-plane-endpoint <host:port>', description: 'address shared by all control-plane nodes' },
    {
      flags: '--pod-subnet <cidr>',
      description: 'addresses of pods, as the CNI expects them (default: 10.244.0.0/16)',
    },
    { flags: '--node-name <name>', description: 'name of the node (default: that of the machine)' },
    {
      flags: '--cri-socket <url>',
      description: 'where the container runtime listens',
      default: 'unix:///run/containerd/containerd.sock',
    },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl kubeadm config', purpose: 'for further nodes of this cluster' },
    {
      command: 'vdoctl kubeadm config --kubernetes 1.34.1 > kubeadm.yaml',
      purpose: 'then kubeadm init --config kubeadm.yaml',
    },
  ],
};
