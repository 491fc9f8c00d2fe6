import { describe, expect, test } from 'vitest';
import { namedNode } from './placement.ts';

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
