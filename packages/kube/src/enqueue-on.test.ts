import { describe, expect, test } from 'vitest';
import { enqueueOn, specChanged } from './enqueue-on.ts';
import type { Change, Informer } from './informer.ts';
import type { KubeObject, ObjectMeta } from './types/object.ts';

const pod = (metadata: ObjectMeta): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a', ...metadata },
});
const owned = (name: string) =>
  pod({ name: 'p', ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: name }] });

const ownersOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.ownerReferences ?? []).map(({ name }) => `${metadata.namespace}/${name}`);

const setUp = () => {
  let tell: (change: Change<KubeObject>) => void = () => {};
  const informer = {
    onChange: (listener: typeof tell) => {
      tell = listener;
      return () => {
        tell = () => {};
      };
    },
  } as Informer<KubeObject>;
  const keys: string[] = [];
  const controller = { enqueue: (key: string) => void keys.push(key), run: async () => {} };
  return { informer, controller, keys, tell: (change: Change<KubeObject>) => tell(change) };
};

describe('enqueueOn', () => {
  test('a change is work on the object itself, until it is ended', () => {
    const { informer, controller, keys, tell } = setUp();
    const stop = enqueueOn(informer, controller);
    tell({ type: 'added', object: pod({ name: 'p' }) });
    stop();
    tell({ type: 'added', object: pod({ name: 'q' }) });
    expect(keys).toEqual(['a/p']);
  });

  test('a change of owners is work for the old and the new', () => {
    const { informer, controller, keys, tell } = setUp();
    enqueueOn(informer, controller, { keys: ownersOf });
    tell({ type: 'updated', object: owned('new'), previous: owned('old') });
    expect(keys).toEqual(['a/old', 'a/new']);
  });

  test('what does not matter is left out', () => {
    const { informer, controller, keys, tell } = setUp();
    enqueueOn(informer, controller, { when: specChanged });
    const before = pod({ name: 'p', generation: 1, resourceVersion: '1' });
    tell({ type: 'updated', previous: before, object: pod({ name: 'p', generation: 1, resourceVersion: '2' }) });
    expect(keys).toEqual([]);
    tell({ type: 'updated', previous: before, object: pod({ name: 'p', generation: 2 }) });
    tell({ type: 'deleted', object: before });
    expect(keys).toHaveLength(2);
  });
});
