import type { VCenterFeatureId } from '@vdo/config/vcenter-features';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { simOffers } from '@vdo/sim-world/sim-release';
import { describe, expect, it } from 'vitest';
import { crashEverywhere, type Testbed } from './testing/crash-testbed.ts';

const isGone = async (opened: Testbed, left = 0) =>
  (await opened.persistentVolumes()).length === left &&
  opened.sim.volumes.list().length === left &&
  (await opened.intents()).length === 0;

/** Longer than a new leader takes to come, and to look after what it finds. */
const restMs = 120_000;

/** Handed over just before the crash: the disk is kept, and the note that is left names it. Nothing else is left. */
const isKeptAndNoted = async (opened: Testbed) => {
  const [disk, ...others] = opened.sim.volumes.list();
  const notes = (await opened.intents()).map(({ spec }) => spec);
  const isNoted =
    notes.length === 1 && notes[0]?.name === `handed-over:${disk?.name}` && notes[0].volumeId === disk?.id;
  return isNoted && others.length === 0 && (await opened.persistentVolumes()).length === 0;
};

/** The disks there are, and those that PersistentVolumes name: they must be the same. */
const disksOf = async (opened: Testbed) => ({
  disks: opened.sim.volumes
    .list()
    .map(({ id }) => id)
    .sort(),
  named: (await opened.persistentVolumes()).map(({ spec }) => spec.csi?.volumeHandle).sort(),
});
const expectOneDiskPerVolume = async (opened: Testbed, count: number) => {
  const { disks, named } = await disksOf(opened);
  expect(disks).toEqual(named);
  expect(disks).toHaveLength(count);
};

/** What a dead process may have asked for is not asked for again within six minutes. */
const patient = { withinMs: 480_000 };

const bind = async (opened: Testbed) => {
  await opened.claim('data');
  await opened.bound('data', patient);
};

const scenarios: Readonly<
  Record<
    string,
    {
      readonly needs?: VCenterFeatureId;
      readonly prepare?: (opened: Testbed) => Promise<void>;
      readonly live: (opened: Testbed) => Promise<void>;
    }
  >
> = {
  'creating and deleting a volume': {
    live: async (opened) => {
      await bind(opened);
      await expectOneDiskPerVolume(opened, 1);
      await opened.deleteClaim('data');
      await opened.until('everything is gone', () => isGone(opened));
    },
  },
  'creating and deleting a file share': {
    needs: 'file-volumes',
    // vCenter has no other list of shares: of one that shows no volume at all, it would take minutes to believe that there is none.
    prepare: async (opened) => {
      await opened.claim('other');
      await opened.bound('other');
    },
    live: async (opened) => {
      await opened.claim('data', 'vsphere', { accessModes: ['ReadWriteMany'] });
      await opened.bound('data', patient);
      await expectOneDiskPerVolume(opened, 2);
      expect(opened.sim.volumes.list()[1]?.type).toBe('FILE');
      await opened.deleteClaim('data');
      await opened.until('everything is gone', () => isGone(opened, 1));
    },
  },
  'a claim deleted while its volume is made': {
    live: async (opened) => {
      await opened.claim('data');
      const isAsked = () => opened.sim.recorder.count('CnsCreateVolume') > 0;
      await opened.until('vCenter was asked', isAsked, patient);
      await opened.deleteClaim('data');
      const isAtRest = async () => {
        if ((await opened.getClaim('data')) !== undefined) return false;
        if (await isGone(opened)) return true;
        if (!(await isKeptAndNoted(opened))) return false;
        // Every volume is handed over before it has its PersistentVolume: what is kept stays so.
        await opened.clock.advance(restMs);
        return (await isGone(opened)) || (await isKeptAndNoted(opened));
      };
      await opened.until('everything has come to rest', isAtRest, { withinMs: 900_000 });
    },
  },
  'copying a volume': {
    needs: 'snapshots',
    prepare: async (opened) => {
      await opened.claim('original');
      await opened.bound('original');
    },
    live: async (opened) => {
      await opened.claim('copy', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'original' } });
      // So it is with the temporary snapshot, one after the other.
      await opened.bound('copy', { withinMs: 900_000 });
      await expectOneDiskPerVolume(opened, 2);
      // The temporary snapshot does not outlive the copying.
      await opened.until(
        'no snapshot is left',
        () => opened.sim.volumes.list().every(({ snapshots }) => snapshots.length === 0) || undefined,
      );
      await opened.until('no intent is left', async () => (await opened.intents()).length === 0);
    },
  },
  'attaching and detaching a volume': {
    prepare: async (opened) => {
      await opened.registerNode(1);
      await bind(opened);
    },
    live: async (opened) => {
      const [volume] = await opened.persistentVolumes();
      await opened.attachment('a', volume?.metadata.name ?? '', 1);
      const holder = () => opened.sim.volumes.list()[0]?.attachedTo?.vm.value;
      await opened.until('the volume is attached', async () => (await opened.getAttachment('a'))?.status?.attached);
      expect(holder()).toBe(opened.sim.control.find('node-1', 'VirtualMachine').value);
      await opened.client.delete(volumeAttachments, { name: 'a' });
      const isGone = async () => (await opened.getAttachment('a')) === undefined;
      // After a crash right before the finalizer goes, it looks like one that was never attached: those are kept for six minutes.
      await opened.until('the attachment is gone', isGone, { withinMs: 420_000 });
      expect(holder()).toBeUndefined();
    },
  },
};

describe.each(Object.entries(scenarios))('a crash during %s', (_name, { needs, prepare, live }) => {
  it.skipIf(needs && !simOffers(needs))(
    'leaves one disk per claim and none behind, at every call and write',
    { timeout: 900_000 },
    async () => {
      const calls = await crashEverywhere(prepare, live);
      expect(calls.length).toBeGreaterThan(8);
    },
  );
});
