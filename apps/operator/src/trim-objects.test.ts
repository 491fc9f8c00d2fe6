import type { Node, Secret } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { sameNode, trimNode, trimSecret } from './trim-objects.ts';

const node = (overrides: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', uid: 'u', resourceVersion: '1', annotations: { long: 'x'.repeat(100) } },
  spec: { providerID: 'vsphere://1', podCIDR: '10.0.0.0/24' },
  status: { nodeInfo: { kubeletVersion: 'v1.34.4', osImage: 'x'.repeat(100) } },
  ...overrides,
});

describe('what the operator keeps of the cluster', () => {
  it('is no more of a node than it reads', () => {
    expect(trimNode(node())).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', uid: 'u', resourceVersion: '1' },
      spec: { providerID: 'vsphere://1' },
      status: { nodeInfo: { kubeletVersion: 'v1.34.4' } },
    });
  });

  it('does not change with a heartbeat, but with the taint and with a new node of the same name', () => {
    const beat = (lastHeartbeatTime: string, status: 'True' | 'False' = 'True') =>
      trimNode(node({ status: { conditions: [{ type: 'Ready', status, lastHeartbeatTime, message: 'm' }] } }));
    expect(sameNode(beat('1'), beat('2'))).toBe(true);
    expect(sameNode(beat('1'), beat('2', 'False'))).toBe(false);
    const before = trimNode(node());
    expect(sameNode(before, trimNode(node({ metadata: { name: 'n', uid: 'u', resourceVersion: '2' } })))).toBe(true);
    expect(sameNode(before, trimNode(node({ spec: {} })))).toBe(false);
    expect(sameNode(before, trimNode(node({ metadata: { name: 'n', uid: 'other' } })))).toBe(false);
  });

  it('is nothing of what a Secret holds', () => {
    const secret: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { password: 'eA==' } };
    expect(trimSecret(secret)).toEqual({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
  });
});
