import { describe, expect, it } from 'vitest';
import { hasNetwork } from './has-network.ts';

describe('the network of a node', () => {
  const node = (conditions: readonly object[], taints: readonly { key: string; effect: 'NoSchedule' }[] = []) =>
    ({ apiVersion: 'v1', kind: 'Node', metadata: {}, spec: { taints }, status: { conditions } }) as never;
  it.each([
    ['is there on a ready node', node([{ type: 'Ready', status: 'True' }]), true],
    [
      'is there if the node is not ready for another reason',
      node([{ type: 'Ready', status: 'False', message: 'disk' }]),
      true,
    ],
    [
      'is missing if the kubelet says so',
      node([{ type: 'Ready', status: 'False', message: 'cni plugin not initialized' }]),
      false,
    ],
    ['is missing if it is unavailable', node([{ type: 'NetworkUnavailable', status: 'True' }]), false],
    [
      'is missing while its agent is not ready',
      node([], [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }]),
      false,
    ],
  ])('%s', (_name, given, expected) => {
    expect(hasNetwork(given)).toBe(expected);
  });
});
