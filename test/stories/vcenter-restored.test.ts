import { persistentVolumes } from '@vdo/kube/types/core';
import type { VolumeStore } from '@vdo/vsphere-sim/cns/volume-store';
import { describe, it } from 'vitest';
import { openStory, promise, type Story } from './story-world.ts';
import { loseRequest } from './troubles.ts';

const minute = 60_000;
const store = ({ sim }: Story) => sim.volumes as VolumeStore;

const openWithDisk = async () => {
  const story = await openStory({ csi: { fullSyncIntervalMinutes: 5 } });
  const replica = story.start('replica-1');
  await story.claim('data');
  await story.bound('data');
  const volume = await story.volumeOf('data');
  return { story, replica, name: volume.metadata.name ?? '', disk: volume.spec.csi?.volumeHandle ?? '' };
};

describe('vCenter restored from a backup', () => {
  it('takes in again a volume that was made since', async () => {
    const { story, name, disk } = await openWithDisk();
    // The inventory knows nothing of the volume; its disk lies where it lay.
    store(story).release(disk);
    await story.advance(6 * minute);
    promise(story.diskExists(disk), 'the volume of a bound claim was not registered again');
    promise((await story.findVolume(name))?.status?.phase === 'Bound', 'the claim is not bound any more');
  });

  it('deletes the disk of a released volume that it has forgotten', async () => {
    const { story, name, disk } = await openWithDisk();
    store(story).release(disk);
    await story.deleteClaim('data');
    await story.until('the PersistentVolume is gone', async () => (await story.findVolume(name)) === undefined);
    const isLeft =
      story.diskExists(disk) ||
      store(story)
        .disks()
        .some(({ id }) => id === disk);
    promise(!isLeft, 'a disk is left that nobody knows of any more');
  });

  it('shows again the disk that was handed over, and that neither claim nor PersistentVolume has', async () => {
    const story = await openStory({ csi: { fullSyncIntervalMinutes: 5 } });
    const replica = story.start('replica-1');
    const heal = replica.onKube(loseRequest(/^POST .*\/persistentvolumes$/));
    await story.claim('data');
    const disk = await story.until('it is handed over', async () => (await story.intents())[0]?.spec.volumeId);
    await story.deleteClaim('data');
    replica.kill();
    heal();
    store(story).release(disk);
    story.start('replica-2');
    await story.advance(30 * minute);
    promise(story.diskExists(disk), 'the disk is where nobody looks for it');
  });

  it('leaves no note of a copy whose original its users kept, and that it has forgotten', async () => {
    const { story, replica, disk, name } = await openWithDisk();
    // The copy fails, and what it left cannot be removed.
    const noSpace = { $type: 'NoDiskSpace', file: '', datastore: 'shared-vmfs' };
    story.sim.control.addFault({
      method: 'CnsCreateVolume',
      times: 99,
      effect: { kind: 'task-failure', fault: noSpace },
    });
    const heal = replica.onVCenter(loseRequest(/^CnsDeleteSnapshots$/));
    await story.claim('copy', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } });
    await story.until('a copy was tried', () => story.sim.recorder.count('CnsCreateVolume') > 1);
    await story.patchVolume(name, { spec: { persistentVolumeReclaimPolicy: 'Retain' } });
    await story.deleteClaim('copy');
    await story.deleteClaim('data');
    await story.deleteVolume(name);
    await story.until('the PersistentVolume is gone', async () => (await story.findVolume(name)) === undefined);
    store(story).release(disk);
    heal();
    story.sim.control.clearFaults();
    await story.advance(40 * minute);
    promise((await story.intents()).length === 0, 'a note is left of a copy that nobody wants');
    promise(
      store(story).get(disk)?.snapshots.length === 0,
      'the disk that was kept has the temporary snapshot of a copy',
    );
  });

  it('takes in again a volume that somebody deletes by hand while its claim is in use', async () => {
    const { story, disk, name } = await openWithDisk();
    await story.deleteVolume(name);
    store(story).release(disk);
    await story.advance(6 * minute);
    promise(story.diskExists(disk), 'the volume of a bound claim was not registered again');
  });

  it('deletes no PersistentVolume whose volume it does not show, and no disk that it shows again', async () => {
    const { story, name, disk } = await openWithDisk();
    const deleted = await (async () => {
      await story.claim('old');
      await story.bound('old');
      const volume = await story.volumeOf('old');
      const kept = store(story).get(volume.spec.csi?.volumeHandle ?? '');
      if (!kept) throw new Error('the story is wrong: no disk');
      await story.deleteClaim('old');
      await story.until('the disk is gone', () => !story.diskExists(kept.id));
      return kept;
    })();
    const bound = store(story).get(disk);
    if (!bound) throw new Error('the story is wrong: no disk');
    store(story).remove(disk);
    store(story).put(deleted);
    await story.advance(12 * minute);
    promise(
      (await story.findVolume(name))?.status?.phase === 'Bound',
      'a bound PersistentVolume went with the inventory',
    );
    promise(story.diskExists(deleted.id), 'a disk that came back was deleted by itself');
    // The administrator registers the disk; the claim has it again.
    store(story).put(bound);
    await story.attachment('att', name, 1);
    await story.attached('att');
  });

  /** A claim whose disk is made while no controller runs, and is unknown to the vCenter that comes back. */
  const forgetDisk = async (story: Story, replica: ReturnType<Story['start']>) => {
    const before = new Set(story.disks().map(({ id }) => id));
    story.sim.control.addFault({ method: 'CnsCreateVolume', effect: { kind: 'task-latency', ms: minute / 2 } });
    await story.claim('late');
    await story.until('the task is noted', async () =>
      (await story.intents()).some(({ spec }) => spec.task !== undefined),
    );
    replica.kill();
    story.sim.control.clearFaults();
    await story.advance(minute);
    const late = story.disks().find(({ id }) => !before.has(id));
    if (!late) throw new Error('the story is wrong: no new disk');
    story.sim.control.forgetTasks({ renumber: true });
    store(story).release(late.id);
    return late;
  };

  const becomesBoundTo = async (story: Story, disk: string) => {
    story.start('replica-2');
    await story.advance(30 * minute);
    await story.bound('late');
    const { spec } = await story.volumeOf('late');
    promise(spec.csi?.volumeHandle === disk, `the claim got ${spec.csi?.volumeHandle}, and ${disk} is left`);
    promise((await story.intents()).length === 0, 'the note is left');
  };

  it('serves a claim whose disk was being made, with that disk', async () => {
    const { story, replica } = await openWithDisk();
    const late = await forgetDisk(story, replica);
    await becomesBoundTo(story, late.id);
  });

  it('serves it also if that is the only disk, so that vCenter shows no volume at all', async () => {
    const story = await openStory();
    const late = await forgetDisk(story, story.start('replica-1'));
    await becomesBoundTo(story, late.id);
  });

  it('leaves no disk of a claim that was deleted meanwhile', async () => {
    const { story, replica } = await openWithDisk();
    const late = await forgetDisk(story, replica);
    await story.deleteClaim('late');
    story.start('replica-2');
    await story.advance(30 * minute);
    const left = [...store(story).disks(), ...story.disks()].some(({ id }) => id === late.id);
    promise(!left, 'the disk is left');
    promise((await story.intents()).length === 0, 'the note is left');
  });
});

describe('vCenter replaced', () => {
  it('has no disk deleted that is of another vCenter, until somebody says that it has moved', async () => {
    const { story, name, disk } = await openWithDisk();
    const key = 'vdo.vmware.com/vcenter-instance';
    await story.until('the vCenter is noted', async () => (await story.findVolume(name))?.metadata.annotations?.[key]);
    // As if the disk had been made on the vCenter of before, which had the same name.
    const note = (value: string) => story.patchVolume(name, { metadata: { annotations: { [key]: value } } });
    await note('11111111-2222-3333-4444-555555555555');
    await story.deleteClaim('data');
    await story.advance(3 * minute);
    promise(story.diskExists(disk), 'a disk was deleted on another vCenter than its own');
    promise(
      (await story.client.find(persistentVolumes, { name })) !== undefined,
      'the PersistentVolume went without its disk',
    );
    const reported = (await story.eventsOf(name)).some(({ reason }) => reason === 'VolumeFailedDelete');
    promise(reported, 'nobody was told why the disk stays');
    await note(story.sim.instanceUuid);
    await story.until('the disk is gone', () => !story.diskExists(disk));
  });
});
