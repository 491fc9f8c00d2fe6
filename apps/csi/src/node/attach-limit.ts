import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MountEntry } from '@vdo/linux-disks/mount-table';
import type { Mounter } from '@vdo/linux-disks/mounter';

/**
 * vCenter attaches container volumes only to paravirtual controllers, 15 to each, and adds missing controllers. A VM has at most four SCSI
 * controllers of any kind. A setting in the appliance raises the limit to 64 per controller. No API reports this setting, so a higher limit
 * must be configured manually.
 */
const controllers = 4;
const perController = 15;

/** Kernel drivers of SCSI controllers. SATA, IDE and NVMe controllers do not count towards the limit of four. */
const paravirtual = 'vmw_pvscsi';
const otherKinds: readonly string[] = ['mptspi', 'mptsas', 'BusLogic'];

/** Where the kubelet keeps volumes of CSI drivers, staged, published and raw. */
const ofVolumes = /\/kubernetes\.io[~/]csi\//;

export interface BlockDevice {
  /** `sdb`. */
  readonly name: string;
  /** `8:16`. */
  readonly number: string;
  /** The controller: `2` of `host2`; undefined if the kernel does not report it. */
  readonly host: string | undefined;
}

/** Driver of a controller by its number: `2` → `vmw_pvscsi`. */
export type ScsiHosts = ReadonlyMap<string, string>;

/** Number of volumes that fit a VM besides its own disks. Every disk that is not mounted for a pod counts as its own. */
export const decideAttachLimit = (
  disks: readonly BlockDevice[],
  hosts: ScsiHosts,
  mounts: readonly MountEntry[],
): number => {
  const volumes = mounts.filter(({ target }) => ofVolumes.test(target));
  const numbers = new Set(volumes.map(({ device }) => device));
  // A raw device is a device file that is mounted over a file of the pod; btrfs uses its own device numbers.
  const devices = new Set(volumes.flatMap(({ root, source }) => [root, source.replace(/^\/dev/, '')]));
  const own = disks.filter(
    ({ name, number, host }) =>
      !numbers.has(number) && !devices.has(`/${name}`) && (hosts.get(host ?? '') ?? paravirtual) === paravirtual,
  );
  // The VM always has a system disk. If its controller is not known, it still takes one slot.
  const taken = disks.length === 0 ? 1 : own.length;
  const others = [...hosts.values()].filter((driver) => otherKinds.includes(driver)).length;
  return Math.max(1, perController * Math.max(0, controllers - others) - taken);
};

const readText = async (path: string): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).trim();

const readHosts = async (sysfsRoot: string): Promise<ScsiHosts> => {
  const folder = join(sysfsRoot, 'class/scsi_host');
  const names = await readdir(folder).catch(() => []);
  const drivers = await Promise.all(names.map((name) => readText(join(folder, name, 'proc_name'))));
  return new Map(names.map((name, index) => [name.replace(/^host/, ''), drivers[index] ?? '']));
};

const readDisks = async (sysfsRoot: string): Promise<readonly BlockDevice[]> => {
  const folder = join(sysfsRoot, 'block');
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^sd[a-z]+$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      // `…/2:0:1:0`: host, channel, target and unit.
      const address = basename(await readlink(join(folder, name, 'device')).catch(() => ''));
      const host = /^(\d+)(:\d+){3}$/.exec(address)?.[1];
      return { name, number: await readText(join(folder, name, 'dev')), host };
    }),
  );
};

/** The number of volumes that fit the VM in which this program runs. */
export const readAttachLimit = async (deps: {
  readonly sysfsRoot: string;
  readonly mounter: Pick<Mounter, 'list'>;
  readonly signal: AbortSignal;
}): Promise<number> =>
  decideAttachLimit(
    await readDisks(deps.sysfsRoot),
    await readHosts(deps.sysfsRoot),
    await deps.mounter.list({ signal: deps.signal }),
  );
