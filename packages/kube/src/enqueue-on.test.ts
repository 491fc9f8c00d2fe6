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
  let notify: (change: Change<KubeObject>) => void = () => {};
  const informer = {
    onChange: (listener: typeof notify) => {
      notify = listener;
      return () => {
        notify = () => {};
      };
    },
  } as Informer<KubeObject>;
  const keys: string[] = [];
  const controller = { enqueue: (key: string) => void keys.push(key), run: async () => {} };
  return { informer, controller, keys, notify: (change: Change<KubeObject>) => notify(change) };
};

describe('enqueueOn', () => {
  test('a change enqueues the object itself, until the subscription ends', () => {
    const { informer, controller, keys, notify } = setUp();
    const stop = enqueueOn(informer, controller);
    notify({ type: 'added', object: pod({ name: 'p' }) });
    stop();
    notify({ type: 'added', object: pod({ name: 'q' }) });
    expect(keys).toEqual(['a/p']);
  });

  test('a change of owners enqueues the old and the new owner', () => {
    const { informer, controller, keys, notify } = setUp();
    enqueueOn(informer, controller, { keys: ownersOf });
    notify({ type: 'updated', object: owned('new'), previous: owned('old') });
    expect(keys).toEqual(['a/old', 'a/new']);
  });

  test('irrelevant changes are ignored', () => {
    const { informer, controller, keys, notify } = setUp();
    enqueueOn(informer, controller, { when: specChanged });
    const before = pod({ name: 'p', generation: 1, resourceVersion: '1' });
    notify({ type: 'updated', previous: before, object: pod({ name: 'p', generation: 1, resourceVersion: '2' }) });
    expect(keys).toEqual([]);
    notify({ type: 'updated', previous: before, object: pod({ name: 'p', generation: 2 }) });
    notify({ type: 'deleted', object: before });
    expect(keys).toHaveLength(2);
  });
});
