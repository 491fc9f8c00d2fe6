import { describe, expect, it } from 'vitest';
import { createScriptedSession } from '../testing/scripted-session.ts';
import { retrievePropertiesEx } from '../wire/methods/property.ts';
import { moref } from '../wire/moref.ts';
import { createVmDisks } from './vm-disks.ts';

const vm = moref('VirtualMachine', 'vm-1');
const uuid = '6000C29A-0000-0000-0000-000000000001';

/** The disk of a VM that has this backing. */
const diskWith = async (backing: object) => {
  const { session, sdk } = createScriptedSession();
  const device = { $type: 'VirtualDisk', key: 2000, capacityInKB: 1n, vDiskId: { id: 'volume-1' }, backing };
  sdk.on(retrievePropertiesEx, () => ({
    objects: [{ obj: vm, propSet: [{ name: 'config.hardware.device', val: [device] }] }],
  }));
  return (await createVmDisks(session).of([vm])).get(vm.value)?.[0];
};

describe('the UUID of a disk on a VM', () => {
  it.each([
    'VirtualDiskFlatVer2BackingInfo',
    'VirtualDiskSeSparseBackingInfo',
    'VirtualDiskSparseVer2BackingInfo',
    'VirtualDiskLocalPMemBackingInfo',
    'VirtualDiskRawDiskMappingVer1BackingInfo',
  ])('is that of its %s', async ($type) => {
    const disk = await diskWith({ $type, fileName: '[ds] a.vmdk', diskMode: 'persistent', uuid });
    expect(disk).toEqual({
      volumeId: 'volume-1',
      diskUuid: '6000c29a000000000000000000000001',
      fileName: '[ds] a.vmdk',
    });
  });

  it.each([
    ['a backing that has none', { $type: 'VirtualDiskFlatVer1BackingInfo', fileName: '[ds] a.vmdk' }],
    ['an empty one', { $type: 'VirtualDiskFlatVer2BackingInfo', fileName: 'a', diskMode: 'persistent', uuid: '' }],
  ])('is undefined with %s, and never an empty text that another disk could have as well', async (_case, backing) => {
    expect((await diskWith(backing))?.diskUuid).toBeUndefined();
  });
});
