import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { abandonedFolders, loopDevicesBelow, mountsBelow } from '../../tools/profiles/run-folder.mjs';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';

describe('the folder of a run of profiles', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder('profiles-folder');
  });
  afterEach(() => folder.remove());

  it('tells its mounts from those of others, the innermost first', () => {
    const line = (path: string) => `36 35 98:0 / ${path} rw,noatime shared:1 - ext3 /dev/loop1 rw`;
    const mountinfo = ['/', '/tmp/run/a', '/tmp/run/a/in\\040side', '/tmp/running', '/tmp/run'].map(line).join('\n');
    expect(mountsBelow(`${mountinfo}\n`, '/tmp/run')).toEqual(['/tmp/run/a/in side', '/tmp/run/a']);
  });

  it('tells its loop devices from those of others, and that there are none', () => {
    const listing = JSON.stringify({
      loopdevices: [
        { name: '/dev/loop0', 'back-file': '/var/disk.img' },
        { name: '/dev/loop1', 'back-file': '/tmp/run/disk.img' },
        { name: '/dev/loop2' },
      ],
    });
    expect(loopDevicesBelow(listing, '/tmp/run')).toEqual(['/dev/loop1']);
    expect(loopDevicesBelow('', '/tmp/run')).toEqual([]);
  });

  it('is left alone while its process runs', async () => {
    // No process has the last number: the kernel gives less than 4,194,304 at most.
    for (const name of [`vdo-profiles-${process.pid}-a`, 'vdo-profiles-4194304-b', 'something-4194304-c'])
      await mkdir(folder.file(name));
    expect(abandonedFolders(folder.path)).toEqual([folder.file('vdo-profiles-4194304-b')]);
  });
});
