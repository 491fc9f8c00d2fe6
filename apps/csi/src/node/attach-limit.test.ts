import { describe, expect, it } from 'vitest';
import { decideAttachLimit } from './attach-limit.ts';
import { parseMountInfo } from './linux/mount-table.ts';

const disk = (letter: string, minor: number) => ({ name: `sd${letter}`, number: `8:${minor}` });
const mounts = (...lines: readonly string[]) => parseMountInfo(lines.join('\n'));

describe('the disks that fit a VM', () => {
  it.each([
    ['with its boot disk alone', [disk('a', 0)], mounts(), 59],
    ['with disks of its own', [disk('a', 0), disk('b', 16), disk('c', 32)], mounts(), 57],
    ['whose disks cannot be read', [], mounts(), 59],
    [
      'with a volume that a pod uses',
      [disk('a', 0), disk('b', 16)],
      mounts('1 1 8:16 / /var/lib/kubelet/plugins/kubernetes.io/csi/x/globalmount rw - ext4 /dev/sdb rw'),
      59,
    ],
    [
      'with a raw volume that a pod uses',
      [disk('a', 0), disk('b', 16)],
      mounts('1 1 0:6 /sdb /var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pv/uid rw - devtmpfs d rw'),
      59,
    ],
    [
      'with a disk that the host mounts',
      [disk('a', 0), disk('b', 16)],
      mounts('1 1 8:16 / /var/lib/containerd rw - xfs /dev/sdb rw'),
      58,
    ],
    ['that is full', Array.from({ length: 80 }, (_, index) => disk(`x${index}`, index * 16)), mounts(), 1],
  ])('%s', (_name, disks, entries, limit) => expect(decideAttachLimit(disks, entries)).toBe(limit));
});
