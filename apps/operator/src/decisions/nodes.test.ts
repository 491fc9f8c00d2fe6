import type { Node } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { decideNodes, uninitializedTaint } from './nodes.ts';

const now = Date.UTC(2026, 0, 1, 12);
const node = (name: string, spec: Node['spec'], ageMinutes = 1): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, creationTimestamp: new Date(now - ageMinutes * 60_000).toISOString() },
  spec,
});
const tainted = { taints: [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' as const }] };

describe('node summary', () => {
  it('counts a node as initialized once it has our providerID and no taint', () => {
    const nodes = [
      node('a', { providerID: 'vsphere://u' }),
      node('b', tainted),
      node('c', { providerID: 'vsphere://u', ...tainted }),
    ];
    expect(decideNodes(nodes, now)).toEqual({ total: 3, initialized: 1, failing: [] });
  });

  it('reports a node that has waited for five minutes', () => {
    expect(decideNodes([node('slow', tainted, 6)], now).failing).toMatchObject([
      { name: 'slow', reason: 'NodeVmNotFound', remedy: expect.stringContaining('kubectl describe node slow') },
    ]);
  });

  it('reports a node of another provider at once', () => {
    expect(decideNodes([node('k3s', { providerID: 'k3s://k3s' })], now).failing).toMatchObject([
      { name: 'k3s', reason: 'NodeForeignProviderId' },
    ]);
  });
});
