import { createActLog, violationsOf } from '@vdo/acts/act-log';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { withoutClusterId } from '@vdo/acts/sole-use';
import { deleteTrialDisk, detachTrialDisk, type ShownVolume } from '@vdo/acts/trials/trial-disks';
import { trialCluster, trialDescription } from '@vdo/acts/trials/trial-marks';
import { deleteTrialCategory } from '@vdo/acts/trials/trial-tags';
import { openFence } from '@vdo/base/fence';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { type DestructiveCalls, destructive } from '@vdo/vsphere/destructive/destructive-calls';
import { moref } from '@vdo/vsphere/wire/moref';
import { describe, expect, it } from 'vitest';

const createTrialWorld = () => {
  const clock = createVirtualClock();
  const log = createActLog();
  const sent: string[] = [];
  const calls: Partial<DestructiveCalls> = {
    deleteVolume: async (id, { fence }) => {
      fence.assertHeld();
      sent.push(`delete ${id}`);
      return true;
    },
    detach: async (items, { fence }) => {
      fence.assertHeld();
      sent.push(`detach ${items.map(({ volumeId }) => volumeId)}`);
      return items.map(() => ({ ok: true, value: undefined }));
    },
    deleteTagCategory: async (id, { fence }) => {
      fence.assertHeld();
      sent.push(`delete category ${id}`);
      return true;
    },
  };
  const deps = { clock, random: createSeededRandom(1), fence: openFence, log, soleUse: withoutClusterId };
  const begin = () => beginAttempt(deps, { act: 'clean up', subject: 'v' });
  return { clock, log, sent, begin, vcenter: { [destructive]: calls as DestructiveCalls } };
};

const ours: ShownVolume = { name: 'vdo-qualify-vm-1-0a1b2c3d-disk', containerClusterIds: [trialCluster], entities: [] };
const user = (name: string) => ({ kind: 'PERSISTENT_VOLUME' as const, name, clusterId: trialCluster });

describe('what was made for a trial', () => {
  const disks: readonly (readonly [string, ShownVolume | undefined])[] = [
    ['has another name', { ...ours, name: 'pvc-1' }],
    ['is of another cluster', { ...ours, containerClusterIds: ['prod'] }],
    ['is of another cluster as well', { ...ours, containerClusterIds: [trialCluster, 'prod'] }],
    ['is of no cluster', { ...ours, containerClusterIds: [] }],
    ['is used by something else', { ...ours, entities: [user('pvc-1')] }],
    ['is not shown', undefined],
  ];
  it.each(disks)('is no disk that %s: it stays', async (_, shown) => {
    const { begin, vcenter, sent } = createTrialWorld();
    const attempt = begin();
    const volume = await attempt.ask('volume', async () => shown);
    const disk = { vcenter, volumeId: 'v', volume };
    const refused = { code: 'ActRefused' };
    await expect((async () => deleteTrialDisk(attempt, disk))()).rejects.toMatchObject(refused);
    await expect(detachTrialDisk(attempt, { ...disk, vm: moref('VirtualMachine', 'vm-1') })).rejects.toMatchObject(
      refused,
    );
    expect(sent).toEqual([]);
  });

  it('is a disk that has every mark: it goes, on a look that is fresh', async () => {
    const { begin, vcenter, sent, clock, log } = createTrialWorld();
    const attempt = begin();
    const volume = await attempt.ask('volume', async () => ({ ...ours, entities: [user('vdo-qualify-pv')] }));
    const disk = { vcenter, volumeId: 'v', volume };
    await detachTrialDisk(attempt, { ...disk, vm: moref('VirtualMachine', 'vm-1') });
    expect(await deleteTrialDisk(attempt, disk)).toBe(true);
    await clock.advance(6_000);
    await expect((async () => deleteTrialDisk(attempt, disk))()).rejects.toMatchObject({ code: 'EvidenceMissing' });
    expect(sent).toEqual(['detach v', 'delete v']);
    expect(violationsOf(log.records())).toEqual([]);
  });

  it.each([
    ['k8s-zone', trialDescription, false],
    ['vdo-qualify-vm-1-0a1b2c3d-tags', 'zones of the cluster vdo-qualify-x', false],
    ['vdo-qualify-vm-1-0a1b2c3d-tags', trialDescription, true],
  ])('tag category %s, "%s": goes %s', async (name, description, goes) => {
    const { begin, vcenter, sent } = createTrialWorld();
    const attempt = begin();
    const category = await attempt.ask('category', async () => ({ name, description }));
    const deletion = (async () => deleteTrialCategory(attempt, { vcenter, id: 'c', category }))();
    if (goes) expect(await deletion).toBe(true);
    else await expect(deletion).rejects.toMatchObject({ code: 'ActRefused' });
    expect(sent).toEqual(goes ? ['delete category c'] : []);
  });
});
