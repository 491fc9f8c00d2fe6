import { describe, expect, it } from 'vitest';
import { createNodeTrimmer } from './trim-node.ts';
import type { Node } from './types/core.ts';

const metadata = { name: 'n', uid: 'u', resourceVersion: '1', labels: { zone: 'a' } };
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { ...metadata, annotations: { mine: 'x', [lastApplied]: '{}' }, managedFields: [] },
  spec: { providerID: 'vsphere://1', podCIDR: '10.0.0.0/24', taints: [{ key: 't', effect: 'NoSchedule' }] },
  status: {
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    conditions: [
      { type: 'Ready', status: 'True', message: 'fine', lastHeartbeatTime: '1' },
      { type: 'DiskPressure', status: 'False' },
    ],
    nodeInfo: { systemUUID: 's', kubeletVersion: 'v1.34.4', osImage: 'long' },
  },
};

describe('what is stored of a node', () => {
  it('is its metadata and its provider ID, if nothing else is requested', () => {
    expect(createNodeTrimmer({})(node)).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      metadata,
      spec: { providerID: 'vsphere://1' },
      status: {},
    });
  });

  it('is what is requested, without the annotation of kubectl and without heartbeats', () => {
    const trim = createNodeTrimmer({
      annotations: true,
      taints: true,
      addresses: true,
      conditions: ['Ready'],
      nodeInfo: ['systemUUID'],
    });
    expect(trim(node)).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { ...metadata, annotations: { mine: 'x' } },
      spec: { providerID: 'vsphere://1', taints: [{ key: 't', effect: 'NoSchedule' }] },
      status: {
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: { systemUUID: 's' },
      },
    });
  });

  it('is the message of a node that is not ready', () => {
    const conditions = [{ type: 'Ready', status: 'False', message: 'no network' }] as const;
    expect(createNodeTrimmer({ conditions: ['Ready'] })({ ...node, status: { conditions } }).status).toEqual({
      conditions,
    });
  });

  it('is nothing if there is nothing', () => {
    const bare: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: {} };
    const all = { annotations: true, taints: true, addresses: true, conditions: ['Ready'] };
    expect(createNodeTrimmer(all)(bare)).toEqual({ ...bare, status: {} });
  });
});
