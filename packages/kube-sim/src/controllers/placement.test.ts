import { describe, expect, test } from 'vitest';
import { namedNode, repellingTaints } from './placement.ts';

const spec = (...nodeSelectorTerms: readonly object[]) => ({
  containers: [],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const field = (operator: string, values: readonly string[], key = 'metadata.name') => ({
  matchFields: [{ key, operator, values }],
});

describe('the only node that a pod names', () => {
  test.each([
    ['is that of a pod of a DaemonSet', spec(field('In', ['a'])), 'a'],
    ['is none without affinity', { containers: [] }, undefined],
    ['is none among several', spec(field('In', ['a', 'b'])), undefined],
    ['is none among several terms', spec(field('In', ['a']), field('In', ['b'])), undefined],
    ['is none that is excluded', spec(field('NotIn', ['a'])), undefined],
    ['is none by another field', spec(field('In', ['a'], 'metadata.namespace')), undefined],
    ['is none by labels', spec({ matchExpressions: [{ key: 'x', operator: 'In', values: ['a'] }] }), undefined],
  ])('%s', (_what, given, expected) => {
    expect(namedNode(given)).toBe(expected);
  });
});

describe('the taints that keep a pod away', () => {
  const node = (spec: object) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec });
  test.each([
    ['are none of a plain node', {}, []],
    [
      'are that of a cordoned node, before the taint is there',
      { unschedulable: true },
      ['node.kubernetes.io/unschedulable'],
    ],
    ['are not those that only advise against it', { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] }, []],
  ])('%s', (_what, given, expected) => {
    expect(repellingTaints(node(given), []).map(({ key }) => key)).toEqual(expected);
  });

  test('leave a pod alone that tolerates them', () => {
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' as const }];
    expect(repellingTaints(node({ unschedulable: true }), tolerations)).toEqual([]);
  });
});
