import type { Node } from '@vdo/kube/types/core';

const padded = (index: number): string => String(index).padStart(5, '0');
const conditionTypes = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable', 'Ready'];

/** A node as a real cluster has them: some 7 kB, half of it the list of images. */
export const sampleNode = (index: number): Node => {
  const name = `node-${padded(index)}`;
  const zone = `zone-${index % 3}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node-role.kubernetes.io/worker': '',
        'node.kubernetes.io/instance-type': 'vsphere-vm.cpu-8.mem-32gb.os-ubuntu',
        'topology.kubernetes.io/region': 'region-1',
        'topology.kubernetes.io/zone': zone,
        'topology.csi.vmware.com/k8s-zone': zone,
      },
      annotations: {
        'csi.volume.kubernetes.io/nodeid': JSON.stringify({
          'csi.vsphere.vmware.com': `4201d9d0-0000-0000-0000-0000000${padded(index)}`,
        }),
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: { providerID: `vsphere://4201d9d0-0000-0000-0000-0000000${padded(index)}`, podCIDR: '10.244.1.0/24' },
    status: statusOf(index, name),
  };
};

const statusOf = (index: number, name: string): NonNullable<Node['status']> => {
  const status = {
    addresses: [
      { type: 'ExternalIP', address: `10.${index >> 8}.${index & 255}.10` },
      { type: 'InternalIP', address: `10.${index >> 8}.${index & 255}.10` },
      { type: 'Hostname', address: name },
    ],
    allocatable: { cpu: '8', 'ephemeral-storage': '95491281146', memory: '32777312Ki', pods: '110' },
    capacity: { cpu: '8', 'ephemeral-storage': '103613632Ki', memory: '32879712Ki', pods: '110' },
    conditions: conditionTypes.map((type) => ({
      type,
      status: type === 'Ready' ? 'True' : 'False',
      reason: `Kubelet${type}`,
      message: `kubelet has reported the condition ${type} of this node`,
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    images: Array.from({ length: 25 }, (_, image) => ({
      names: [
        `registry.test/project-${image}/component@sha256:${'0123456789abcdef'.repeat(4)}`,
        `registry.test/project-${image}/component:v1.${image}.0`,
      ],
      sizeBytes: 52_428_800 + image,
    })),
    nodeInfo: {
      architecture: 'amd64',
      bootID: 'b2f2a5c4-0000-0000-0000-000000000000',
      containerRuntimeVersion: 'containerd://1.7.0',
      kernelVersion: '6.8.0-40-generic',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.34.4',
      machineID: `4201d9d000000000000000000000${padded(index)}`,
      operatingSystem: 'linux',
      osImage: 'Ubuntu 24.04.1 LTS',
      systemUUID: `4201d9d0-0000-0000-0000-0000000${padded(index)}`,
    },
  };
  return status as NonNullable<Node['status']>;
};
