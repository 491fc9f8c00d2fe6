import { expect, it } from 'vitest';
import { pendingRequest, type TriggerCsiFullSync, triggerAsks } from './sync-requests.ts';

it.each([
  ['no ConfigMap', undefined, undefined],
  ['no request', {}, undefined],
  ['an empty one', { sync: '' }, undefined],
  ['a new one', { sync: 'a' }, 'a'],
  ['an answered one', { sync: 'a', synced: '{"request":"a"}' }, undefined],
  ['one after another', { sync: 'b', synced: '{"request":"a"}' }, 'b'],
  ['one with an answer that cannot be read', { sync: 'b', synced: '{' }, 'b'],
])('of %s waits: %#', (_name, data, expected) => {
  expect(pendingRequest(data && { data })).toBe(expected);
});

const trigger = (asked?: number, last?: number): TriggerCsiFullSync => ({
  apiVersion: 'cns.vmware.com/v1alpha1',
  kind: 'TriggerCsiFullSync',
  metadata: { name: 'csifullsync' },
  ...(asked === undefined ? {} : { spec: { triggerSyncID: asked } }),
  ...(last === undefined ? {} : { status: { lastTriggerSyncID: last } }),
});

it.each([
  [trigger(), 'no'],
  [trigger(0), 'no'],
  [trigger(1), 'yes'],
  [trigger(4, 3), 'yes'],
  [trigger(3, 3), 'no'],
  [trigger(2, 3), 'invalid'],
  [trigger(5, 3), 'invalid'],
])('a number asks for a full sync only if it is the next one (%#)', (object, expected) => {
  expect(triggerAsks(object)).toBe(expected);
});
