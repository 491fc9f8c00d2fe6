import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimTestbed } from './testing/sim-testbed.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
const testbeds: Testbed[] = [];
/** A running testbed with a bound claim `data`; gives the name of its volume. */
const open = async () => {
  const testbed = createSimTestbed();
  testbeds.push(testbed);
  await testbed.setUp();
  const replica = testbed.start();
  await testbed.claim('data');
  const { spec } = await testbed.bound('data');
  return { testbed, replica, volume: spec.volumeName ?? '' };
};
afterEach(async () => {
  for (const testbed of testbeds.splice(0)) await testbed.stop();
});

const attached = (testbed: Testbed, name: string) =>
  testbed.until(`${name} is attached`, async () => {
    const attachment = await testbed.getAttachment(name);
    return attachment?.status?.attached ? attachment : undefined;
  });
const failed = (testbed: Testbed, name: string, code: string) =>
  testbed.until(`${name} tells ${code}`, async () => {
    const { attachError, detachError } = (await testbed.getAttachment(name))?.status ?? {};
    const message = attachError?.message ?? detachError?.message;
    return message?.includes(`[${code}]`) ? message : undefined;
  });
const holder = (testbed: Testbed) => testbed.sim.volumes.list()[0]?.attachedTo?.vm.value;
const detach = (testbed: Testbed, name: string) => testbed.client.delete(volumeAttachments, { name });

describe('an attachment', () => {
  it('puts the disk on the VM and tells the node how to find it', async () => {
    const { testbed, volume } = await open();
    await testbed.registerNode(1);
    await testbed.attachment('a', volume, 1);
    const { status, metadata } = await attached(testbed, 'a');
    const [disk] = testbed.sim.volumes.list();
    expect(status?.attachmentMetadata).toEqual({
      type: 'vSphere CNS Block Volume',
      diskUUID: disk?.diskUuid,
      'vdo.vmware.com/size-bytes': String(1024 ** 3),
      'vdo.vmware.com/first-use': 'true',
    });
    expect(metadata.finalizers).toEqual(['external-attacher/csi-vsphere-vmware-com']);
    expect(holder(testbed)).toBe(testbed.sim.control.find('node-1', 'VirtualMachine').value);
    const [object] = await testbed.persistentVolumes();
    expect(object?.metadata.finalizers).toContain('external-attacher/csi-vsphere-vmware-com');
  });

  it.each([
    ['the reply to it was lost', false],
    ['its controller died', true],
  ])('that vCenter is slow with and that is deleted after %s leaves no disk on the VM', async (_what, dies) => {
    const { testbed, replica, volume } = await open();
    const method = 'CnsAttachVolume';
    await testbed.registerNode(1);
    testbed.sim.control.addFault({ method, times: 1, effect: { kind: 'task-latency', ms: 40_000 } });
    if (!dies) testbed.sim.control.addFault({ method, times: 1, effect: { kind: 'drop', when: 'after' } });
    // vCenter is at it: what is asked meanwhile comes to nothing.
    testbed.sim.control.addFault({ method, skip: 1, effect: { kind: 'fault', fault: { $type: 'RuntimeFault' } } });
    await testbed.attachment('a', volume, 1);
    await testbed.until('vCenter was asked', () => testbed.sim.recorder.count(method) > 0 || undefined);
    if (dies) replica.kill();
    await detach(testbed, 'a');
    if (dies) testbed.start('replica-2');
    // A successor cannot know whether vCenter has forgotten the task: it waits for as long as one may go on.
    const withinMs = dies ? 420_000 : 300_000;
    await testbed.until('the attachment is gone', async () => (await testbed.getAttachment('a')) === undefined, {
      withinMs,
    });
    await testbed.clock.advance(60_000);
    expect(holder(testbed)).toBeUndefined();
  });

  it('names the task of a slow vCenter while it runs, and of a fast one nothing', async () => {
    const { testbed, volume } = await open();
    await testbed.registerNode(1);
    const noted = async (name: string) =>
      (await testbed.getAttachment(name))?.metadata.annotations?.['vdo.vmware.com/attach-task'];
    testbed.sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect: { kind: 'task-latency', ms: 40_000 } });
    await testbed.attachment('slow', volume, 1);
    const note = await testbed.until('the task is noted', () => noted('slow'));
    const [task = '', at = ''] = note.split(' ');
    expect(task).toMatch(/^task-\d+$/);
    expect(testbed.clock.now() - Date.parse(at)).toBeLessThan(10_000);
    expect((await testbed.getAttachment('slow'))?.status?.attached ?? false).toBe(false);
    await attached(testbed, 'slow');
    await detach(testbed, 'slow');
    await testbed.until('the attachment is gone', async () => (await testbed.getAttachment('slow')) === undefined);
    await testbed.attachment('fast', volume, 1);
    await attached(testbed, 'fast');
    await testbed.clock.advance(5_000);
    expect(await noted('fast')).toBeUndefined();
  });

  it('is the first one of its volume once only', async () => {
    const { testbed, volume } = await open();
    await testbed.registerNode(1);
    for (const [name, firstUse] of [
      ['a', 'true'],
      ['b', undefined],
      ['a', undefined],
    ] as const) {
      await testbed.attachment(name, volume, 1);
      const { status } = await attached(testbed, name);
      expect(status?.attachmentMetadata?.['vdo.vmware.com/first-use']).toBe(firstUse);
      await detach(testbed, name);
      await testbed.until('the attachment is gone', async () => (await testbed.getAttachment(name)) === undefined);
    }
  });

  it('takes the disk away before it goes', async () => {
    const { testbed, volume } = await open();
    await testbed.registerNode(1);
    await testbed.attachment('a', volume, 1);
    await attached(testbed, 'a');
    await detach(testbed, 'a');
    await testbed.until('the attachment is gone', async () => (await testbed.getAttachment('a')) === undefined);
    expect(holder(testbed)).toBeUndefined();
  });

  it('waits for the node to register, and says so', async () => {
    const { testbed, volume } = await open();
    await testbed.attachment('a', volume, 1);
    expect(await failed(testbed, 'a', 'NodeVmNotFound')).toContain('vsphere-csi-node');
    await testbed.registerNode(1);
    await attached(testbed, 'a');
  });

  it('never takes a disk from another node; it waits for it', async () => {
    const { testbed, volume } = await open();
    await testbed.registerNode(1);
    await testbed.registerNode(2);
    await testbed.attachment('a', volume, 1);
    await attached(testbed, 'a');
    await testbed.attachment('b', volume, 2);
    expect(await failed(testbed, 'b', 'VolumeAttachedElsewhere')).toContain('it is attached to VM node-1');
    expect(holder(testbed)).toBe(testbed.sim.control.find('node-1', 'VirtualMachine').value);
    await detach(testbed, 'a');
    await attached(testbed, 'b');
    expect(holder(testbed)).toBe(testbed.sim.control.find('node-2', 'VirtualMachine').value);
  });

  it('is found done when its program died right after vCenter did it', async () => {
    const { testbed, replica, volume } = await open();
    await testbed.registerNode(1);
    testbed.start('replica-2');
    await testbed.attachment('a', volume, 1);
    await testbed.until('vCenter was asked', () => testbed.sim.recorder.count('CnsAttachVolume') > 0 || undefined);
    replica.kill();
    await attached(testbed, 'a');
    expect(holder(testbed)).toBe(testbed.sim.control.find('node-1', 'VirtualMachine').value);
  });

  it('goes when the VM was deleted, and the disk survives', async () => {
    const { testbed, volume } = await open();
    await testbed.registerNode(1);
    await testbed.attachment('a', volume, 1);
    await attached(testbed, 'a');
    testbed.sim.control.deleteVm('node-1');
    await detach(testbed, 'a');
    await testbed.until('the attachment is gone', async () => (await testbed.getAttachment('a')) === undefined);
    expect(testbed.sim.volumes.list()).toHaveLength(1);
  });

  it('is one vCenter call for many at the same time', async () => {
    const { testbed } = await open();
    await testbed.registerNode(1);
    const names = Array.from({ length: 8 }, (_, index) => `many-${index}`);
    for (const name of names) await testbed.claim(name);
    const volumes = await Promise.all(names.map(async (name) => (await testbed.bound(name)).spec.volumeName ?? ''));
    testbed.sim.recorder.clear();
    await Promise.all(volumes.map((volume, index) => testbed.attachment(`a-${index}`, volume, 1)));
    for (const index of volumes.keys()) await attached(testbed, `a-${index}`);
    expect(testbed.sim.recorder.count('CnsAttachVolume')).toBeLessThanOrEqual(2);
  });

  it('keeps a volume from being deleted', async () => {
    const { testbed, volume } = await open();
    await testbed.registerNode(1);
    await testbed.attachment('a', volume, 1);
    await attached(testbed, 'a');
    await testbed.deleteClaim('data');
    await testbed.clock.advance(30_000);
    expect(testbed.sim.volumes.list()).toHaveLength(1);
    await detach(testbed, 'a');
    await testbed.until('the volume is gone', async () => (await testbed.persistentVolumes()).length === 0);
    const changes = testbed.sim.recorder.calls().map(({ method }) => method);
    expect(changes.filter((method) => /^Cns(Detach|Delete)Volume$/.test(method))).toEqual([
      'CnsDetachVolume',
      'CnsDeleteVolume',
    ]);
    const events = await testbed.eventsOf(volume);
    expect(events.map(({ message }) => message)).toContainEqual(expect.stringContaining('still attached to node-1'));
  });
});

describe('a claim that asks for more', () => {
  it('gets a larger disk, and its node is told', async () => {
    const { testbed } = await open();
    const key = { namespace: 'default', name: 'data' };
    const body = { spec: { resources: { requests: { storage: '3Gi' } } } };
    await testbed.client.patch(persistentVolumeClaims, key, { type: 'merge', body });
    const claim = await testbed.until('the node has to act', async () => {
      const found = await testbed.getClaim('data');
      return found?.status?.conditions?.some(({ type }) => type === 'FileSystemResizePending') ? found : undefined;
    });
    expect(testbed.sim.volumes.list()[0]?.capacityMb).toBe(3072n);
    const [volume] = await testbed.persistentVolumes();
    expect(volume?.spec.capacity).toEqual({ storage: '3Gi' });
    // The claim shows the new size when the kubelet has grown the file system.
    expect(claim.status?.capacity).toEqual({ storage: '1Gi' });
    const grown = testbed.sim.recorder.count('CnsExtendVolume');
    await testbed.clock.advance(60_000);
    expect(testbed.sim.recorder.count('CnsExtendVolume')).toBe(grown);
  });
});
