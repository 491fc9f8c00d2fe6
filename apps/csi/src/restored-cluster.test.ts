import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimTestbed, type SimTestbedOptions } from './testing/sim-testbed.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
type Backup = ReturnType<Testbed['backUp']>;
const testbeds: Testbed[] = [];
afterEach(async () => {
  for (const testbed of testbeds.splice(0)) await testbed.stop();
});

const open = async (options: SimTestbedOptions = {}): Promise<Testbed> => {
  const testbed = createSimTestbed(options);
  testbeds.push(testbed);
  await testbed.setUp();
  return testbed;
};
const minutes = async (testbed: Testbed, count: number) => {
  for (let step = 0; step < count; step++) await testbed.clock.advance(60_000);
};
const vmOf = (testbed: Testbed, node: number) => testbed.sim.control.find(`node-${node}`, 'VirtualMachine').value;
const disksOf = (testbed: Testbed) =>
  testbed.sim.volumes.list().map(({ id, attachedTo }) => ({ id, attachedTo: attachedTo?.vm.value }));

/** A claim with a disk that node 1 uses, and a backup of the cluster from before each write that led there. */
const openWithBackups = async () => {
  const backups: { readonly before: string; readonly backup: Backup }[] = [];
  let watching = true;
  const testbed = await open({
    wire: (to, transport) => async (request) => {
      const { method, path } = request;
      const isWrite = to === 'kube' && method !== 'GET' && !/\/(leases|events)/.test(path);
      if (watching && isWrite) backups.push({ before: `${method} ${path.split('?')[0]}`, backup: testbed.backUp() });
      return transport(request);
    },
  });
  // Long enough for the task to be noted.
  testbed.sim.control.addFault({ method: 'CnsCreateVolume', effect: { kind: 'task-latency', ms: 5_000 } });
  const replica = testbed.start();
  await testbed.registerNode(1);
  await testbed.claim('data');
  const bound = await testbed.bound('data');
  watching = false;
  await testbed.until('the intent is gone', async () => (await testbed.intents()).length === 0);
  await testbed.attachment('a', bound.spec.volumeName ?? '', 1);
  await testbed.until('it is attached', async () => (await testbed.getAttachment('a'))?.status?.attached);
  const [disk] = disksOf(testbed);
  if (!disk) throw new Error('no disk');
  return { testbed, replica, backups, disk };
};

describe('etcd restored to the middle of a create', () => {
  it('gives the claim the disk it had, in use as it is, whichever write was to come next', async () => {
    const { testbed, replica, backups, disk } = await openWithBackups();
    const writes = backups.map(({ before }) => before).join('\n');
    // The intent, the task in the intent, the object, the end of the intent.
    expect(writes).toMatch(
      /PATCH \S+\/volumeintents\/pvc-.*PATCH \S+\/volumeintents\/pvc-.*POST \S+\/persistentvolumes\n.*DELETE \S+\/volumeintents\/pvc-/s,
    );
    let last: { stop(): void } = replica;
    for (const [index, { before, backup }] of backups.entries()) {
      last.stop();
      await testbed.clock.advance(1_000);
      testbed.restore(backup);
      last = testbed.start(`replica-${index + 2}`);
      const claim = await testbed.bound('data');
      const [volume, ...others] = await testbed.persistentVolumes();
      expect([before, volume?.metadata.name, others]).toEqual([before, claim.spec.volumeName, []]);
      expect([before, volume?.spec.csi?.volumeHandle]).toEqual([before, disk.id]);
      await minutes(testbed, 2);
      expect([before, disksOf(testbed)]).toEqual([before, [disk]]);
      expect([before, await testbed.intents()]).toEqual([before, []]);
    }
    expect(testbed.sim.recorder.count('CnsCreateVolume')).toBe(1);
    expect(testbed.sim.recorder.count('CnsDeleteVolume') + testbed.sim.recorder.count('CnsDetachVolume')).toBe(0);
  });

  it('does not delete a disk in use when the claim is deleted then', async () => {
    const { testbed, replica, backups, disk } = await openWithBackups();
    const recorded = backups.findLast(({ before }) => /^POST .*\/persistentvolumes$/.test(before));
    if (!recorded) throw new Error('no such write');
    replica.stop();
    await testbed.clock.advance(1_000);
    testbed.restore(recorded.backup);
    // What is left is an intent whose claim is gone: its volume is nobody's, but a VM has it.
    await testbed.client.patch(
      persistentVolumeClaims,
      { namespace: 'default', name: 'data' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await testbed.deleteClaim('data');
    testbed.start('replica-2');
    await minutes(testbed, 10);
    expect(disksOf(testbed)).toEqual([disk]);
    expect(disk.attachedTo).toBe(vmOf(testbed, 1));
  });

  it('leaves a disk alone, and tells of it, of whose claim the backup knows nothing', async () => {
    const testbed = await open();
    const empty = testbed.backUp();
    const replica = testbed.start();
    await testbed.claim('data');
    await testbed.until('vCenter was asked', () => testbed.sim.recorder.count('CnsCreateVolume') > 0 || undefined);
    // vCenter finishes what it was asked for; nobody in the cluster remembers.
    replica.kill();
    testbed.restore(empty);
    await testbed.until('the disk is there', () => disksOf(testbed).length > 0 || undefined);
    const before = disksOf(testbed);
    const { metrics } = testbed.start('replica-2');
    await minutes(testbed, 10);
    expect(disksOf(testbed)).toEqual(before);
    expect((await metrics.expose()).body).toContain('vdo_csi_orphans{kind="volume"} 1');
  });
});
