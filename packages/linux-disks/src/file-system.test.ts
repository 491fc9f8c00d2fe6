import { describe, expect, it } from 'vitest';
import { kernelOptions } from './file-system.ts';

describe('a new file system keeps within what the kernel of the node can mount', () => {
  it.each([
    ['xfs', '6.1.0-18-amd64', []],
    ['xfs', '5.15.0-91-generic', ['-i', 'nrext64=0']],
    ['xfs', '5.4.0-42-generic', ['-m', 'bigtime=0,inobtcount=0', '-i', 'nrext64=0']],
    ['xfs', '4.18.0-553.el8_10.x86_64', ['-m', 'bigtime=0,inobtcount=0', '-i', 'nrext64=0']],
    ['ext4', '5.14.0-427.el9.x86_64', ['-O', '^orphan_file,^metadata_csum_seed']],
    ['ext4', '5.15.0', []],
    ['btrfs', '4.18.0', []],
    ['xfs', 'not a version', []],
  ] as const)('%s on %s', (fsType, release, options) => {
    expect(kernelOptions(fsType, release)).toEqual(options);
  });
});
