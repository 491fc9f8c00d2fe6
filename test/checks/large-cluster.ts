import type { Node } from '@vdo/kube/types/core';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { testbedModel } from './testbed-model.ts';

const uuidOf = (index: number): string => `42120000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
const ipOf = (index: number): string => `10.${10 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

/** The vCenter of the testbed with this many node VMs, over all hosts. */
export const largeModel = (count: number): VSphereModel => {
  const model = testbedModel();
  const vms = Array.from({ length: count }, (_, index) => ({
    name: `n-${index}`,
    folder: 'kubernetes',
    uuid: uuidOf(index),
    nics: [{ network: 'Kubernetes', ips: [ipOf(index)] }],
    extraConfig: { 'disk.EnableUUID': 'TRUE' },
  }));
  return { ...model, datacenters: model.datacenters.map((datacenter) => ({ ...datacenter, vms })) };
};

export const largeNodes = (count: number): readonly Node[] =>
  Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n-${index}`, creationTimestamp: '2025-12-31T00:00:00Z' },
    spec: { providerID: `vsphere://${uuidOf(index)}` },
    status: {
      nodeInfo: { systemUUID: uuidOf(index), kubeletVersion: 'v1.34.4', operatingSystem: 'linux' },
      addresses: [{ type: 'InternalIP', address: ipOf(index) }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }));
