import { describe, expect, test } from 'vitest';
import { type Ground, type OwnershipFacts, ownershipOf } from './ownership.ts';

type Facts = Partial<OwnershipFacts>;
const shown = { name: 'pvc-1', clusterIds: ['us'] };
const pv = { uid: 'u1', name: 'PersistentVolume pv' };
const intent = (change: Partial<Ground & { kind: 'intent' }> = {}): Ground => ({
  kind: 'intent',
  name: 'pvc-1',
  clusterId: 'us',
  instanceUuid: 'vc',
  handedOver: false,
  ...change,
});
const volume = (change: Partial<Ground & { kind: 'object' }> = {}): Ground => ({
  kind: 'object',
  what: 'PersistentVolume pv',
  uid: 'u1',
  policy: 'Delete',
  instanceUuid: 'vc',
  madeAs: 'pvc-1',
  ...change,
});
const classOf = (facts: Facts) =>
  ownershipOf({
    clusterId: 'us',
    instanceUuid: 'vc',
    isOnlyVCenter: true,
    shown,
    ground: volume(),
    holders: [pv],
    ...facts,
  });

describe('made here', () => {
  test.each<[string, Facts]>([
    ['noted, and shown under its name', { ground: intent(), holders: [] }],
    ['noted, and not shown', { ground: intent(), holders: [], shown: undefined }],
    ['noted, and shown with no cluster', { ground: intent(), holders: [], shown: { ...shown, clusterIds: [] } }],
    ['a volume that this driver made, on this vCenter', {}],
    ['the same, not shown', { shown: undefined }],
    ['the same among several vCenters', { isOnlyVCenter: false }],
  ])('%s', (_, facts) => expect(classOf(facts).class).toBe('made-here'));
});

describe('bound', () => {
  test.each<[string, Facts]>([
    ['brought along, and its vCenter was noted', { ground: volume({ madeAs: undefined }), isOnlyVCenter: false }],
    ['brought along, and there is one vCenter', { ground: volume({ madeAs: undefined, instanceUuid: undefined }) }],
    ['made by an older release, and there is one vCenter', { ground: volume({ instanceUuid: undefined }) }],
    ['brought along, and not shown', { ground: volume({ madeAs: undefined }), shown: undefined }],
    [
      'brought along under a name of its own',
      { ground: volume({ madeAs: undefined }), shown: { ...shown, name: 'data' } },
    ],
  ])('%s', (_, facts) => expect(classOf(facts).class).toBe('bound'));
});

const request: Ground = { kind: 'request', what: 'ConfigMap report' };

test('what a person names is asked for if vCenter shows it as ours alone, and nobody uses it', () =>
  expect(classOf({ ground: request, holders: [] }).class).toBe('asked-for'));

describe('not known to be ours', () => {
  const strangers = { ...shown, clusterIds: ['us', 'them'] };
  test.each<[string, Facts, string]>([
    ['another cluster is named for it', { shown: strangers }, 'vCenter lists it for cluster them'],
    [
      'the same, though noted',
      { shown: strangers, ground: intent(), holders: [] },
      'vCenter lists it for cluster them',
    ],
    ['handed over', { ground: intent({ handedOver: true }), holders: [] }, 'handed over'],
    ['noted, but a volume has it', { ground: intent() }, 'PersistentVolume pv uses it'],
    ['noted by an older release', { ground: intent({ instanceUuid: undefined }), holders: [] }, 'older release'],
    ['noted without a cluster', { ground: intent({ clusterId: undefined }), holders: [] }, 'older release'],
    ['noted by another cluster', { ground: intent({ clusterId: 'them' }), holders: [] }, 'cluster them recorded it'],
    ['noted on another vCenter', { ground: intent({ instanceUuid: 'old' }), holders: [] }, 'created on vCenter old'],
    ['noted under another name', { ground: intent({ name: 'pvc-2' }), holders: [] }, 'its name is pvc-1, not pvc-2'],
    ['retained', { ground: volume({ policy: 'Retain' }) }, 'policy of PersistentVolume pv is Retain'],
    ['without a policy', { ground: volume({ policy: undefined }) }, 'not set'],
    [
      'two volumes have it',
      { holders: [pv, { uid: 'u2', name: 'PersistentVolume other' }] },
      'PersistentVolume other uses it, too',
    ],
    ['another incarnation has it', { holders: [{ ...pv, uid: 'u2' }] }, 'no longer uses it'],
    ['nobody has it', { holders: [] }, 'no longer uses it'],
    ['of another vCenter', { ground: volume({ instanceUuid: 'old' }) }, 'belongs to vCenter old'],
    [
      'of some vCenter',
      { ground: volume({ instanceUuid: undefined }), isOnlyVCenter: false },
      'not recorded to which vCenter',
    ],
    ['made under another name', { ground: volume({ madeAs: 'pvc-2' }) }, 'its name is pvc-1, not pvc-2'],
    ['asked for, but a volume has it', { ground: request }, 'PersistentVolume pv uses it'],
    ['asked for, but not shown', { ground: request, holders: [], shown: undefined }, 'does not list it'],
    ['asked for, but of no cluster', { ground: request, holders: [], shown: { ...shown, clusterIds: [] } }, 'alone'],
    ['asked for, but another cluster uses it, too', { ground: request, holders: [], shown: strangers }, 'cluster them'],
    [
      'asked for, but another cluster of this id uses it',
      { ground: request, holders: [], shown: { ...shown, users: ['PersistentVolume theirs'] } },
      'PersistentVolume theirs for it, which is not in this cluster',
    ],
    ['a vCenter without identity', { instanceUuid: '' }, 'does not report its instance UUID'],
  ])('%s', (_, facts, why) => {
    expect(classOf(facts).class).toBe('unknown');
    expect(classOf(facts).why).toContain(why);
  });
});
