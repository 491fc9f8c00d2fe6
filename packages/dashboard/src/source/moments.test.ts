import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { Change } from '@vdo/kube/informer';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { VolumeSnapshot } from '@vdo/kube/types/snapshots';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { describe, expect, it } from 'vitest';
import { ago, claimOf, healthyStatus, nodeOf, resourceWith, snapshotOf, volumeOf } from '../testing/cluster-facts.ts';
import { createJournal } from './journal.ts';
import { nodeMoments, operationMoment, placeMoments, resourceMoments } from './moments.ts';
import { endedAttachment, endedClaim, endedSnapshot, endedVolume } from './watch-operations.ts';

const updated = <T>(previous: object, object: object): Change<T> => ({
  type: 'updated',
  object: object as T,
  previous: previous as T,
});
const titles = (list: readonly { readonly kind: string; readonly title: string }[]) =>
  list.map(({ kind, title }) => `${kind}: ${title}`);

describe('what a change of the resource tells', () => {
  const well = resourceWith(healthyStatus(3), { generation: 6 });
  const check = { id: 'vcenter/tcp', result: 'Fail', reason: 'X', message: 'refused', remedy: '' };
  const withFailing = (failing: readonly object[], changes: object = {}): VSphereDrivers =>
    resourceWith(
      { ...healthyStatus(3), checks: { ...healthyStatus(3).checks, fail: failing.length, failing }, ...changes },
      { generation: 6 },
    );

  it.each<readonly [string, VSphereDrivers, VSphereDrivers, readonly string[]]>([
    ['nothing', well, well, []],
    ['a check that fails', well, withFailing([check]), ['fault: vcenter/tcp', 'fault: Healthy → Degraded']],
    ['a check that passes again', withFailing([check]), well, ['over: vcenter/tcp', 'over: Degraded → Healthy']],
    ['a check that still fails', withFailing([check]), withFailing([{ ...check, message: 'again' }]), []],
    [
      'an edit',
      well,
      resourceWith(healthyStatus(3), { generation: 7 }),
      ['change: The VSphereDrivers resource was edited'],
    ],
    [
      'a release that is rolled out',
      well,
      withFailing([], { drivers: [{ kind: 'CSI', version: '0.3.0', target: '0.3.1' }] }),
      ['release: CSI: roll-out of 0.3.1 began'],
    ],
    [
      'a release that was replaced',
      well,
      withFailing([], { drivers: [{ kind: 'CSI', version: '0.3.1' }] }),
      ['release: CSI 0.3.0 → 0.3.1'],
    ],
    [
      'a vCenter that was updated',
      well,
      withFailing([], {
        versions: { ...healthyStatus(3).versions, vcenters: [{ server: 'vc1.example.com', version: '8.0.4' }] },
      }),
      ['change: vCenter vc1.example.com 8.0.3 → 8.0.4'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(titles(resourceMoments(updated(before, after)))).toEqual(expected);
  });
  it('nothing of a resource that is seen for the first time', () => {
    expect(resourceMoments({ type: 'added', object: withFailing([check]) })).toEqual([]);
  });
});

describe('what a change of a node or of places tells', () => {
  const node = nodeOf(1);
  const notReady = { ...node, status: { ...node.status, conditions: [{ type: 'Ready', status: 'False' }] } };
  it.each<readonly [string, Change<Node>, readonly string[]]>([
    ['a heartbeat', updated(node, node), []],
    ['not Ready', updated(node, notReady), ['fault: A node is not Ready']],
    ['Ready again', updated(notReady, node), ['over: A node is Ready again']],
    ['a new one', { type: 'added', object: node }, ['change: A node joined']],
    ['one that left', { type: 'deleted', object: node, previous: node }, ['change: A node was deleted']],
  ])('%s', (_, change, expected) => {
    expect(titles(nodeMoments(change))).toEqual(expected);
  });

  const place = { node: 'n1', vcenter: 'vc1', host: 'h1' };
  it('moves, power and hosts', () => {
    expect(titles(placeMoments([place], [{ ...place, host: 'h2' }]))).toEqual(['change: A VM moved']);
    expect(titles(placeMoments([place], [{ ...place, power: 'powered off' }]))).toEqual(['fault: A VM is powered off']);
    const down = { ...place, hostNote: 'does not respond', isHostDown: true };
    expect(titles(placeMoments([place], [down]))).toEqual(['fault: A host does not respond']);
    expect(titles(placeMoments([down], [place]))).toEqual(['over: A host is back']);
    expect(placeMoments([], [down])).toEqual([]);
  });
  it('an evacuated host is one line, and its nodes tell of the host once', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ ...place, node: `n${index}` }));
    const moved = many.map((one) => ({ ...one, host: 'h2' }));
    expect(titles(placeMoments(many, moved))).toEqual(['change: 40 VMs moved to other hosts']);
    const down = many.map((one) => ({ ...one, hostNote: 'is disconnected', isHostDown: true }));
    expect(titles(placeMoments(many, down))).toEqual(['fault: A host is disconnected']);
  });
});

describe('operations that end', () => {
  const attachment = {
    metadata: { name: 'va', creationTimestamp: ago(2) },
    spec: { attacher: names.csiDriver, nodeName: 'n1', source: { persistentVolumeName: 'pv-1' } },
    status: { attached: false },
  };
  const attached = { ...attachment, status: { attached: true } };
  const failed = { ...attachment, status: { attached: false, attachError: { message: 'no free place' } } };
  const leaving = { ...attached, metadata: { ...attachment.metadata, deletionTimestamp: ago(1) } };

  it.each<readonly [string, Change<VolumeAttachment>, object | undefined]>([
    ['attached', updated(attachment, attached), { what: 'attach', sinceMs: Date.parse(ago(2)) }],
    ['attached already when it was seen first', { type: 'added', object: attached as never }, undefined],
    ['a failure', updated(attachment, failed), { what: 'attach', error: 'no free place' }],
    ['the same failure again', updated(failed, failed), undefined],
    [
      'detached',
      { type: 'deleted', object: leaving as never, previous: leaving as never },
      { what: 'detach', sinceMs: Date.parse(ago(1)) },
    ],
    [
      'of another driver',
      updated(attachment, { ...attached, spec: { ...attached.spec, attacher: 'other' } }),
      undefined,
    ],
  ])('%s', (_, change, expected) => {
    const [ended] = endedAttachment(change);
    if (expected) expect(ended).toMatchObject({ ...expected, object: { kind: 'PersistentVolume', name: 'pv-1' } });
    else expect(ended).toBeUndefined();
  });

  it('created, expanded, deleted, a snapshot', () => {
    const annotations = { 'volume.kubernetes.io/storage-provisioner': names.csiDriver };
    const claim = { ...claimOf(1), metadata: { ...claimOf(1).metadata, annotations } };
    const pending = { ...claim, status: { phase: 'Pending' } };
    const growing = {
      ...claim,
      status: {
        phase: 'Bound',
        capacity: { storage: '10Gi' },
        conditions: [{ type: 'Resizing', status: 'True', lastTransitionTime: ago(3) }],
      },
    };
    const grown = { ...claim, status: { phase: 'Bound', capacity: { storage: '20Gi' } } };
    expect(endedClaim(updated<PersistentVolumeClaim>(pending, claim))).toMatchObject([{ what: 'create' }]);
    expect(endedClaim(updated<PersistentVolumeClaim>(growing, claim))).toMatchObject([
      { what: 'expand', sinceMs: Date.parse(ago(3)) },
    ]);
    const [expansion] = endedClaim(updated<PersistentVolumeClaim>(growing, grown));
    expect(expansion && operationMoment(expansion, 5)).toMatchObject({ message: '10Gi → 20Gi', health: 'good' });
    const volume = { ...volumeOf(1), status: { phase: 'Released', lastPhaseTransitionTime: ago(4) } };
    const gone = { type: 'deleted', object: volume, previous: volume } as unknown as Change<PersistentVolume>;
    expect(endedVolume(gone)).toMatchObject([{ what: 'delete', sinceMs: Date.parse(ago(4)) }]);
    const snapshot = snapshotOf(1, 'nightly');
    const early = { ...snapshot, status: { readyToUse: false } };
    expect(endedSnapshot(updated<VolumeSnapshot>(early, snapshot))).toMatchObject([{ what: 'snapshot' }]);
  });
});

describe('the journal', () => {
  const operation = operationMoment(
    { what: 'attach', object: { kind: 'PersistentVolume', name: 'pv-1' }, sinceMs: 0 },
    5,
  );
  const fault = { kind: 'fault', health: 'bad', title: 'A fault', message: '' } as const;
  it('is bounded, and operations do not push out what explains a fault', () => {
    const journal = createJournal();
    journal.note(1, [fault]);
    for (let count = 0; count < 5_000; count += 1) journal.note(2, [operation]);
    const rows = journal.rows(3);
    expect(rows.filter(({ kind }) => kind === 'fault')).toHaveLength(1);
    expect(rows).toHaveLength(301);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(301);
  });
  it('forgets after a day', () => {
    const journal = createJournal();
    journal.note(0, [fault]);
    expect(journal.rows(25 * 3_600_000)).toEqual([]);
  });
});
