import type { Node } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { controllerReplicas } from './controller-replicas.ts';

const node = (
  name: string,
  change: Partial<Node['spec']> & { readonly labels?: Record<string, string> } = {},
): Node => {
  const { labels, ...spec } = change;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': 'linux', ...labels } },
    spec,
  };
};
const taint = (key: string, value?: string) => ({ key, effect: 'NoSchedule' as const, ...(value ? { value } : {}) });
const component = { tolerations: [], nodeSelector: {}, extraArgs: [] };

describe('the number of controller pods where the spec names none', () => {
  const first = node('node-1');
  const rows: readonly [string, readonly Node[], object, number][] = [
    ['no node', [], {}, 1],
    ['one node', [first], {}, 1],
    ['two nodes', [first, node('node-2')], {}, 2],
    ['five nodes', [first, ...['2', '3', '4', '5'].map((name) => node(name))], {}, 2],
    [
      'a second node of the control plane',
      [first, node('2', { taints: [taint('node-role.kubernetes.io/control-plane')] })],
      {},
      2,
    ],
    [
      'a second node that is cordoned',
      [first, node('2', { unschedulable: true, taints: [taint('node.kubernetes.io/unschedulable')] })],
      {},
      2,
    ],
    [
      'a second node that waits for the cloud provider',
      [first, node('2', { taints: [taint('node.cloudprovider.kubernetes.io/uninitialized', 'true')] })],
      {},
      2,
    ],
    ['a second node for others', [first, node('2', { taints: [taint('dedicated', 'db')] })], {}, 1],
    [
      'a second node for others, tolerated',
      [first, node('2', { taints: [taint('dedicated', 'db')] })],
      { tolerations: [{ key: 'dedicated', operator: 'Exists' }] },
      2,
    ],
    [
      'a second node for others, tolerated with another value',
      [first, node('2', { taints: [taint('dedicated', 'db')] })],
      { tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web' }] },
      1,
    ],
    ['a second node with Windows', [first, node('2', { labels: { 'kubernetes.io/os': 'windows' } })], {}, 1],
    [
      'a second node that the selector leaves out',
      [first, node('2', { labels: { infra: 'yes' } })],
      { nodeSelector: { infra: 'yes' } },
      1,
    ],
  ];
  it.each(rows)('%s', (_name, nodes, adjust, replicas) => {
    const advanced = { csiController: { ...component, ...adjust }, cpi: { ...component, ...adjust } };
    expect(controllerReplicas(nodes, advanced as never)).toEqual({ cpi: replicas, csi: replicas });
  });
});
