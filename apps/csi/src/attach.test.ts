import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimHouse } from './testing/sim-house.ts';

type House = ReturnType<typeof createSimHouse>;
const houses: House[] = [];
/** A running house with a bound claim `data`; gives the name of its volume. */
const open = async () => {
  const house = createSimHouse();
  houses.push(house);
  await house.setUp();
  const replica = house.start();
  await house.claim('data');
  const { spec } = await house.bound('data');
  return { house, replica, volume: spec.volumeName ?? '' };
};
afterEach(async () => {
  for (const house of houses.splice(0)) await house.stop();
});

const attached = (house: House, name: string) =>
  house.until(`${name} is attached`, async () => {
    const attachment = await house.getAttachment(name);
    return attachment?.status?.attached ? attachment : undefined;
  });
const failed = (house: House, name: string, code: string) =>
  house.until(`${name} tells ${code}`, async () => {
    const { attachError, detachError } = (await house.getAttachment(name))?.status ?? {};
    const message = attachError?.message ?? detachError?.message;
    return message?.includes(`[${code}]`) ? message : undefined;
  });
const holder = (house: House) => house.sim.volumes.list()[0]?.attachedTo?.vm.value;
const detach = (house: House, name: string) => house.client.delete(volumeAttachments, { name });

describe('an attachment', () => {
  it('puts the disk on the VM and tells the node how to find it', async () => {
    const { house, volume } = await open();
    await house.registerNode(1);
    await house.attachment('a', volume, 1);
    const { status, metadata } = await attached(house, 'a');
    const [disk] = house.sim.volumes.list();
    expect(status?.attachmentMetadata).toEqual({
      type: 'vSphere CNS Block Volume',
      diskUUID: disk?.diskUuid,
      'vdo.vmware.com/size-bytes': String(1024 ** 3),
      'vdo.vmware.com/first-use': 'true',
    });
    expect(metadata.finalizers).toEqual(['external-attacher/csi-vsphere-vmware-com']);
    expect(holder(house)).toBe(house.sim.control.find('node-1', 'VirtualMachine').value);
    const [object] = await house.persistentVolumes();
    expect(object?.metadata.finalizers).toContain('external-attacher/csi-vsphere-vmware-com');
  });

  it.each([
    ['the reply to it was lost', false],
    ['its controller died', true],
  ])('that vCenter is slow with and that is deleted after %s leaves no disk on the VM', async (_what, dies) => {
    const { house, replica, volume } = await open();
    const method = 'CnsAttachVolume';
    await house.registerNode(1);
    house.sim.control.addFault({ method, times: 1, effect: { kind: 'task-latency', ms: 40_000 } });
    if (!dies) house.sim.control.addFault({ method, times: 1, effect: { kind: 'drop', when: 'after' } });
    // vCenter is at it: what is asked meanwhile comes to nothing.
    house.sim.control.addFault({ method, skip: 1, effect: { kind: 'fault', fault: { $type: 'RuntimeFault' } } });
    await house.attachment('a', volume, 1);
    await house.until('vCenter was asked', () => house.sim.recorder.count(method) > 0 || undefined);
    if (dies) replica.kill();
    await detach(house, 'a');
    if (dies) house.start('replica-2');
    // A successor cannot know whether vCenter has forgotten the task: it waits for as long as one may go on.
    const withinMs = dies ? 420_000 : 300_000;
    await house.until('the attachment is gone', async () => (await house.getAttachment('a')) === undefined, {
      withinMs,
    });
    await house.clock.advance(60_000);
    expect(holder(house)).toBeUndefined();
  });

  it('is the first one of its volume once only', async () => {
    const { house, volume } = await open();
    await house.registerNode(1);
    for (const [name, firstUse] of [
      ['a', 'true'],
      ['b', undefined],
      ['a', undefined],
    ] as const) {
      await house.attachment(name, volume, 1);
      const { status } = await attached(house, name);
      expect(status?.attachmentMetadata?.['vdo.vmware.com/first-use']).toBe(firstUse);
      await detach(house, name);
      await house.until('the attachment is gone', async () => (await house.getAttachment(name)) === undefined);
    }
  });

  it('takes the disk away before it goes', async () => {
    const { house, volume } = await open();
    await house.registerNode(1);
    await house.attachment('a', volume, 1);
    await attached(house, 'a');
    await detach(house, 'a');
    await house.until('the attachment is gone', async () => (await house.getAttachment('a')) === undefined);
    expect(holder(house)).toBeUndefined();
  });

  it('waits for the node to register, and says so', async () => {
    const { house, volume } = await open();
    await house.attachment('a', volume, 1);
    expect(await failed(house, 'a', 'NodeVmNotFound')).toContain('vsphere-csi-node');
    await house.registerNode(1);
    await attached(house, 'a');
  });

  it('never takes a disk from another node; it waits for it', async () => {
    const { house, volume } = await open();
    await house.registerNode(1);
    await house.registerNode(2);
    await house.attachment('a', volume, 1);
    await attached(house, 'a');
    await house.attachment('b', volume, 2);
    expect(await failed(house, 'b', 'VolumeAttachedElsewhere')).toContain('VM node-1 has it');
    expect(holder(house)).toBe(house.sim.control.find('node-1', 'VirtualMachine').value);
    await detach(house, 'a');
    await attached(house, 'b');
    expect(holder(house)).toBe(house.sim.control.find('node-2', 'VirtualMachine').value);
  });

  it('is found done when its program died right after vCenter did it', async () => {
    const { house, replica, volume } = await open();
    await house.registerNode(1);
    house.start('replica-2');
    await house.attachment('a', volume, 1);
    await house.until('vCenter was asked', () => house.sim.recorder.count('CnsAttachVolume') > 0 || undefined);
    replica.kill();
    await attached(house, 'a');
    expect(holder(house)).toBe(house.sim.control.find('node-1', 'VirtualMachine').value);
  });

  it('goes when the VM was deleted, and the disk survives', async () => {
    const { house, volume } = await open();
    await house.registerNode(1);
    await house.attachment('a', volume, 1);
    await attached(house, 'a');
    house.sim.control.deleteVm('node-1');
    await detach(house, 'a');
    await house.until('the attachment is gone', async () => (await house.getAttachment('a')) === undefined);
    expect(house.sim.volumes.list()).toHaveLength(1);
  });

  it('is one vCenter call for many at the same time', async () => {
    const { house } = await open();
    await house.registerNode(1);
    const names = Array.from({ length: 8 }, (_, index) => `many-${index}`);
    for (const name of names) await house.claim(name);
    const volumes = await Promise.all(names.map(async (name) => (await house.bound(name)).spec.volumeName ?? ''));
    house.sim.recorder.clear();
    await Promise.all(volumes.map((volume, index) => house.attachment(`a-${index}`, volume, 1)));
    for (const index of volumes.keys()) await attached(house, `a-${index}`);
    expect(house.sim.recorder.count('CnsAttachVolume')).toBeLessThanOrEqual(2);
  });

  it('keeps a volume from being deleted', async () => {
    const { house, volume } = await open();
    await house.registerNode(1);
    await house.attachment('a', volume, 1);
    await attached(house, 'a');
    await house.deleteClaim('data');
    await house.clock.advance(30_000);
    expect(house.sim.volumes.list()).toHaveLength(1);
    await detach(house, 'a');
    await house.until('the volume is gone', async () => (await house.persistentVolumes()).length === 0);
    const changes = house.sim.recorder.calls().map(({ method }) => method);
    expect(changes.filter((method) => /^Cns(Detach|Delete)Volume$/.test(method))).toEqual([
      'CnsDetachVolume',
      'CnsDeleteVolume',
    ]);
    const events = await house.eventsOf(volume);
    expect(events.map(({ message }) => message)).toContainEqual(expect.stringContaining('still attached to node-1'));
  });
});

describe('a claim that asks for more', () => {
  it('gets a larger disk, and its node is told', async () => {
    const { house } = await open();
    const key = { namespace: 'default', name: 'data' };
    const body = { spec: { resources: { requests: { storage: '3Gi' } } } };
    await house.client.patch(persistentVolumeClaims, key, { type: 'merge', body });
    const claim = await house.until('the node has to act', async () => {
      const found = await house.getClaim('data');
      return found?.status?.conditions?.some(({ type }) => type === 'FileSystemResizePending') ? found : undefined;
    });
    expect(house.sim.volumes.list()[0]?.capacityMb).toBe(3072n);
    const [volume] = await house.persistentVolumes();
    expect(volume?.spec.capacity).toEqual({ storage: '3Gi' });
    // The claim shows the new size when the kubelet has grown the file system.
    expect(claim.status?.capacity).toEqual({ storage: '1Gi' });
    const grown = house.sim.recorder.count('CnsExtendVolume');
    await house.clock.advance(60_000);
    expect(house.sim.recorder.count('CnsExtendVolume')).toBe(grown);
  });
});
