import { describe, expect, test } from 'vitest';
import { cnsTaskKinds } from './cns-task-kinds.ts';

type Kind = keyof typeof cnsTaskKinds;

// The first of each group as vCenter writes it, the second as vcsim does.
test.each<[string, readonly Kind[]]>([
  ['com.vmware.cns.tasks.createvolume', ['createVolume', 'copyVolume']],
  ['CnsVolumeManager.CnsCreateVolume', ['createVolume', 'copyVolume']],
  ['vslm.vcenter.VStorageObjectManager.createDisk', ['createVolume', 'copyVolume']],
  ['com.vmware.cns.tasks.createsnapshot', ['createSnapshot', 'copyVolume']],
  ['CnsVolumeManager.CreateSnapshots', ['createSnapshot', 'copyVolume']],
  ['vslm.vcenter.VStorageObjectManager.createSnapshot', ['createSnapshot', 'copyVolume']],
  ['com.vmware.cns.tasks.attachvolume', ['attachOrDetach']],
  ['CnsVolumeManager.CnsAttachVolume', ['attachOrDetach']],
  ['VirtualMachine.attachDisk', ['attachOrDetach']],
  ['com.vmware.cns.tasks.detachvolume', ['attachOrDetach']],
  ['com.vmware.cns.tasks.deletevolume', []],
  ['com.vmware.cns.tasks.extendvolume', []],
  ['com.vmware.cns.tasks.updatevolume', []],
  ['VirtualMachine.detachDisk', ['attachOrDetach']],
  ['VirtualMachine.createSnapshot', []],
  ['VirtualMachine.reconfigure', []],
])('%s may be at work for %j', (descriptionId, expected) => {
  const kinds = Object.keys(cnsTaskKinds) as Kind[];
  expect(kinds.filter((kind) => cnsTaskKinds[kind].test(`${descriptionId} `))).toEqual(expected);
});

describe('a kind', () => {
  test('remembers nothing between two questions', () => {
    for (const kind of Object.values(cnsTaskKinds)) expect(kind.flags).not.toMatch(/[gy]/);
  });
});
