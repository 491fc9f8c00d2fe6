import type { Node, Taint } from '@vdo/kube/types/core';

export interface NodeOverrides {
  readonly name?: string;
  readonly providerID?: string;
  readonly taints?: readonly Taint[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly systemUUID?: string;
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly addresses?: readonly string[];
}

export const uninitialized: Taint = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

const addressOf = (text: string) => {
  const [type = '', address = ''] = text.split(' ');
  return { type: type as 'Hostname' | 'InternalIP' | 'ExternalIP', address };
};

/** A Node as kubelet registers it. Addresses are written `InternalIP 10.0.0.1`. */
export const node = (overrides: NodeOverrides = {}): Node => {
  const { name = 'node-1', ready = 'True', addresses } = overrides;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `uid-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: overrides.labels ?? {},
      annotations: overrides.annotations ?? {},
    },
    spec: {
      ...(overrides.providerID === undefined ? {} : { providerID: overrides.providerID }),
      ...(overrides.taints === undefined ? {} : { taints: overrides.taints }),
    },
    status: {
      conditions: [{ type: 'Ready', status: ready }],
      ...(overrides.systemUUID === undefined ? {} : { nodeInfo: { systemUUID: overrides.systemUUID } }),
      ...(addresses === undefined ? {} : { addresses: addresses.map(addressOf) }),
    },
  };
};

/** A Node that waits for the cloud provider. */
export const waitingNode = (overrides: NodeOverrides = {}): Node => node({ taints: [uninitialized], ...overrides });
