import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimHouse, type SimHouseOptions } from './testing/sim-house.ts';

type House = ReturnType<typeof createSimHouse>;
type Backup = ReturnType<House['backUp']>;
const houses: House[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.stop();
});

const open = async (options: SimHouseOptions = {}): Promise<House> => {
  const house = createSimHouse(options);
  houses.push(house);
  await house.setUp();
  return house;
};
const minutes = async (house: House, count: number) => {
  for (let step = 0; step < count; step++) await house.clock.advance(60_000);
};
const vmOf = (house: House, node: number) => house.sim.control.find(`node-${node}`, 'VirtualMachine').value;
const disksOf = (house: House) =>
  house.sim.volumes.list().map(({ id, attachedTo }) => ({ id, attachedTo: attachedTo?.vm.value }));

/** A claim with a disk that node 1 uses, and a backup of the cluster from before each write that led there. */
const openWithBackups = async () => {
  const backups: { readonly before: string; readonly backup: Backup }[] = [];
  let watching = true;
  const house = await open({
    wire: (to, transport) => async (request) => {
      const { method, path } = request;
      const isWrite = to === 'kube' && method !== 'GET' && !/\/(leases|events)/.test(path);
      if (watching && isWrite) backups.push({ before: `${method} ${path.split('?')[0]}`, backup: house.backUp() });
      return transport(request);
    },
  });
  // Long enough for the task to be noted.
  house.sim.control.addFault({ method: 'CnsCreateVolume', effect: { kind: 'task-latency', ms: 5_000 } });
  const replica = house.start();
  await house.registerNode(1);
  await house.claim('data');
  const bound = await house.bound('data');
  watching = false;
  await house.until('the intent is gone', async () => (await house.intents()).length === 0);
  await house.attachment('a', bound.spec.volumeName ?? '', 1);
  await house.until('it is attached', async () => (await house.getAttachment('a'))?.status?.attached);
  const [disk] = disksOf(house);
  if (!disk) throw new Error('no disk');
  return { house, replica, backups, disk };
};

describe('etcd restored to the middle of a create', () => {
  it('gives the claim the disk it had, in use as it is, whichever write was to come next', async () => {
    const { house, replica, backups, disk } = await openWithBackups();
    const writes = backups.map(({ before }) => before).join('\n');
    // The intent, the task in the intent, the object, the end of the intent.
    expect(writes).toMatch(
      /PATCH \S+\/volumeintents\/pvc-.*PATCH \S+\/volumeintents\/pvc-.*POST \S+\/persistentvolumes\n.*DELETE \S+\/volumeintents\/pvc-/s,
    );
    let last: { stop(): void } = replica;
    for (const [index, { before, backup }] of backups.entries()) {
      last.stop();
      await house.clock.advance(1_000);
      house.restore(backup);
      last = house.start(`replica-${index + 2}`);
      const claim = await house.bound('data');
      const [volume, ...others] = await house.persistentVolumes();
      expect([before, volume?.metadata.name, others]).toEqual([before, claim.spec.volumeName, []]);
      expect([before, volume?.spec.csi?.volumeHandle]).toEqual([before, disk.id]);
      await minutes(house, 2);
      expect([before, disksOf(house)]).toEqual([before, [disk]]);
      expect([before, await house.intents()]).toEqual([before, []]);
    }
    expect(house.sim.recorder.count('CnsCreateVolume')).toBe(1);
    expect(house.sim.recorder.count('CnsDeleteVolume') + house.sim.recorder.count('CnsDetachVolume')).toBe(0);
  });

  it('does not delete a disk in use when the claim is deleted then', async () => {
    const { house, replica, backups, disk } = await openWithBackups();
    const recorded = backups.findLast(({ before }) => /^POST .*\/persistentvolumes$/.test(before));
    if (!recorded) throw new Error('no such write');
    replica.stop();
    await house.clock.advance(1_000);
    house.restore(recorded.backup);
    // What is left is an intent whose claim is gone: its volume is nobody's, but a VM has it.
    await house.client.patch(
      persistentVolumeClaims,
      { namespace: 'default', name: 'data' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await house.deleteClaim('data');
    house.start('replica-2');
    await minutes(house, 10);
    expect(disksOf(house)).toEqual([disk]);
    expect(disk.attachedTo).toBe(vmOf(house, 1));
  });

  it('leaves a disk alone, and tells of it, of whose claim the backup knows nothing', async () => {
    const house = await open();
    const empty = house.backUp();
    const replica = house.start();
    await house.claim('data');
    await house.until('vCenter was asked', () => house.sim.recorder.count('CnsCreateVolume') > 0 || undefined);
    // vCenter finishes what it was asked for; nobody in the cluster remembers.
    replica.kill();
    house.restore(empty);
    await house.until('the disk is there', () => disksOf(house).length > 0 || undefined);
    const before = disksOf(house);
    const { metrics } = house.start('replica-2');
    await minutes(house, 10);
    expect(disksOf(house)).toEqual(before);
    expect((await metrics.expose()).body).toContain('vdo_csi_orphans{kind="volume"} 1');
  });
});
