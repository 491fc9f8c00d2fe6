import type { Node } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { decideNodeTopology } from './node-topology.ts';

const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';
const node = (labels: Record<string, string>, waiting = false): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels },
  spec: waiting
    ? { taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }] }
    : {},
});

describe('the place of a node', () => {
  it('is what its labels say, and nothing beside the configured ones', () => {
    expect(decideNodeTopology(node({ [zone]: 'a', [region]: 'r', other: 'x' }), [region, zone])).toEqual({
      [region]: 'r',
      [zone]: 'a',
    });
  });

  it('may lack a label for good, but not while the node is being initialized', () => {
    expect(decideNodeTopology(node({ [zone]: 'a' }), [region, zone])).toEqual({ [zone]: 'a' });
    expect(() => decideNodeTopology(node({ [zone]: 'a' }, true), [region, zone])).toThrow('not initialized');
  });

  it('is an error with a remedy if no label is there', () => {
    expect(() => decideNodeTopology(node({}), [zone])).toThrow(`has none of the topology labels ${zone}`);
  });
});
