import type { PersistentVolume } from '@vdo/kube/types/core';
import { expect, it } from 'vitest';
import { mayRunOn } from './may-run-on.ts';

type Term = readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];

const volume = (...terms: readonly Term[]): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv' },
  spec: {
    ...(terms.length > 0
      ? { nodeAffinity: { required: { nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })) } } }
      : {}),
  },
});
const zone = (operator: string, ...values: readonly string[]) => ({ key: 'zone', operator, values });

it.each([
  ['a volume without affinity', volume(), true],
  ['its zone', volume([zone('In', 'a', 'b')]), true],
  ['another zone', volume([zone('In', 'b')]), false],
  ['one of several terms', volume([zone('In', 'b')], [zone('In', 'a')]), true],
  ['all requirements of a term', volume([zone('In', 'a'), { key: 'rack', operator: 'Exists' }]), false],
  ['what is excluded', volume([zone('NotIn', 'a')]), false],
  ['a label that must not be there', volume([{ key: 'zone', operator: 'DoesNotExist' }]), false],
])('a node in zone a may run pods with %s: %#', (_name, one, expected) => {
  expect(mayRunOn(one, { zone: 'a' })).toBe(expected);
});
