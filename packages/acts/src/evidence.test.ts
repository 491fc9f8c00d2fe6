import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { describe, expectTypeOf, test } from 'vitest';
import type { Absent, Answer, Current, Evidence, Fact, Found, Seen, Written } from './evidence.ts';

interface Plain {
  readonly resource: Resource;
  readonly key: { readonly name: string };
  readonly uid: string;
  readonly resourceVersion: string;
  readonly object: KubeObject;
  readonly objects: readonly KubeObject[];
  readonly value: string;
  readonly question: { readonly index: string; readonly value: string };
  readonly readMs: number;
  readonly facts: readonly Fact[];
  get(key: string): Found;
  byIndex(index: string, value: string): Found;
}

describe('an object of the same shape is no evidence', () => {
  test('for the compiler', () => {
    expectTypeOf<Plain & { readonly kind: 'seen' }>().not.toExtend<Seen>();
    expectTypeOf<Plain & { readonly kind: 'seen' }>().not.toExtend<Written>();
    expectTypeOf<Plain & { readonly kind: 'absent' }>().not.toExtend<Absent>();
    expectTypeOf<Plain & { readonly kind: 'found' }>().not.toExtend<Found>();
    expectTypeOf<Plain & { readonly kind: 'answer' }>().not.toExtend<Answer<string>>();
    expectTypeOf<Plain>().not.toExtend<Current>();
    expectTypeOf<Plain>().not.toExtend<Evidence>();
  });

  test('and differs from it in nothing else', () => {
    expectTypeOf<Plain & { readonly kind: 'seen' }>().toExtend<Omit<Seen, symbol>>();
    expectTypeOf<Plain & { readonly kind: 'found' }>().toExtend<Omit<Found, symbol>>();
    expectTypeOf<Plain>().toExtend<Omit<Current, symbol>>();
  });

  test('and what was only read is not what was written', () => {
    expectTypeOf<Seen>().not.toExtend<Written>();
    expectTypeOf<Written>().toExtend<Seen>();
  });
});
