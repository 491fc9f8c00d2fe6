import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMountInfo } from '@vdo/linux-disks/mount-table';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decideAttachLimit, readAttachLimit } from './attach-limit.ts';

const disk = (letter: string, minor: number, host?: string) => ({ name: `sd${letter}`, number: `8:${minor}`, host });
const hosts = (...drivers: readonly string[]) =>
  new Map(drivers.map((driver, index) => [String(index), driver] as const));
const mounts = (...lines: readonly string[]) => parseMountInfo(lines.join('\n'));
const staged = '1 1 8:16 / /var/lib/kubelet/plugins/kubernetes.io/csi/x/globalmount rw - ext4 /dev/sdb rw';
const btrfs = '1 1 0:39 / /var/lib/kubelet/plugins/kubernetes.io/csi/x/globalmount rw - btrfs /dev/sdb rw';
const raw = '1 1 0:6 /sdb /var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pv/uid rw - devtmpfs d rw';

describe('the disks that fit a VM', () => {
  it.each([
    ['with its boot disk alone', [disk('a', 0)], hosts(), mounts(), 59],
    ['with disks of its own', [disk('a', 0), disk('b', 16), disk('c', 32)], hosts(), mounts(), 57],
    ['whose disks cannot be read', [], hosts(), mounts(), 59],
    ['with a volume that a pod uses', [disk('a', 0), disk('b', 16)], hosts(), mounts(staged), 59],
    ['with a btrfs volume, whose number is its own', [disk('a', 0), disk('b', 16)], hosts(), mounts(btrfs), 59],
    ['with a raw volume that a pod uses', [disk('a', 0), disk('b', 16)], hosts(), mounts(raw), 59],
    [
      'with a disk that the host mounts',
      [disk('a', 0), disk('b', 16)],
      hosts(),
      mounts('1 1 8:16 / /var/lib/containerd rw - xfs /dev/sdb rw'),
      58,
    ],
    ['that is full', Array.from({ length: 80 }, (_, index) => disk(`x${index}`, index * 16)), hosts(), mounts(), 1],
    [
      'with four paravirtual controllers',
      [disk('a', 0, '0')],
      hosts('vmw_pvscsi', 'vmw_pvscsi', 'vmw_pvscsi', 'vmw_pvscsi'),
      mounts(),
      59,
    ],
    ['that starts from LSI Logic, whose places nobody else gets', [disk('a', 0, '0')], hosts('mptspi'), mounts(), 45],
    [
      'that starts from LSI Logic and has a paravirtual disk of its own',
      [disk('a', 0, '0'), disk('b', 16, '1')],
      hosts('mptsas', 'vmw_pvscsi'),
      mounts(),
      44,
    ],
    ['that starts from SATA, beside the SCSI controllers', [disk('a', 0, '0')], hosts('ahci'), mounts(), 60],
    ['with old controllers only', [disk('a', 0, '0')], hosts('mptspi', 'mptspi', 'BusLogic', 'mptsas'), mounts(), 1],
  ])('%s', (_name, disks, drivers, entries, limit) => expect(decideAttachLimit(disks, drivers, entries)).toBe(limit));

  it('are counted by what the kernel shows of controllers and disks', async () => {
    const sysfsRoot = await mkdtemp(join(tmpdir(), 'vdo-sysfs-'));
    onTestFinished(() => rm(sysfsRoot, { recursive: true }));
    const put = async (path: string, text: string) => {
      await mkdir(join(sysfsRoot, path, '..'), { recursive: true });
      await writeFile(join(sysfsRoot, path), text);
    };
    await put('class/scsi_host/host0/proc_name', 'ata_piix\n');
    await put('class/scsi_host/host2/proc_name', 'mptspi\n');
    await put('class/scsi_host/host3/proc_name', 'vmw_pvscsi\n');
    await put('block/sda/dev', '8:0\n');
    await symlink('../../../2:0:0:0', join(sysfsRoot, 'block/sda/device'));
    await put('block/sdb/dev', '8:16\n');
    await symlink('../../../3:0:1:0', join(sysfsRoot, 'block/sdb/device'));
    await put('block/sr0/dev', '11:0\n');
    const limit = (list: readonly string[]) => {
      const mounter = { list: async () => mounts(...list) };
      return readAttachLimit({ sysfsRoot, mounter, signal: new AbortController().signal });
    };
    expect(await limit([])).toBe(44);
    expect(await limit([staged])).toBe(45);
    expect(
      await readAttachLimit({
        sysfsRoot: join(sysfsRoot, 'none'),
        mounter: { list: async () => [] },
        signal: new AbortController().signal,
      }),
    ).toBe(59);
  });
});
