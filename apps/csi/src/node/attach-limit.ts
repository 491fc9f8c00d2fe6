import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MountEntry } from '@vdo/linux-disks/mount-table';
import type { Mounter } from '@vdo/linux-disks/mounter';

/**
 * vCenter puts container volumes on paravirtual controllers only, 15 on each, and adds missing ones: a VM takes four SCSI controllers of
 * whatever kind. A switch in the appliance raises that to 64 each; no API tells whether it is on, so that more is said by hand.
 */
const controllers = 4;
const perController = 15;

/** Drivers of the SCSI controllers a VM can have. SATA, IDE and NVMe take none of their places. */
const paravirtual = 'vmw_pvscsi';
const otherKinds: readonly string[] = ['mptspi', 'mptsas', 'BusLogic'];

/** Where the kubelet keeps volumes of CSI drivers, staged, published and raw. */
const ofVolumes = /\/kubernetes\.io[~/]csi\//;

export interface BlockDevice {
  /** `sdb`. */
  readonly name: string;
  /** `8:16`. */
  readonly number: string;
  /** `2` of `host2`, the controller it is on; undefined if the kernel does not tell. */
  readonly host: string | undefined;
}

/** Driver of a controller by its number: `2` → `vmw_pvscsi`. */
export type ScsiHosts = ReadonlyMap<string, string>;

/** Disks that still fit a VM beside its own: whatever is not mounted for a pod counts as its own. */
export const decideAttachLimit = (
  disks: readonly BlockDevice[],
  hosts: ScsiHosts,
  mounts: readonly MountEntry[],
): number => {
  const volumes = mounts.filter(({ target }) => ofVolumes.test(target));
  const numbers = new Set(volumes.map(({ device }) => device));
  // A raw device is a file of the device file system, mounted over a file of the pod's; btrfs has numbers of its own.
  const devices = new Set(volumes.flatMap(({ root, source }) => [root, source.replace(/^\/dev/, '')]));
  const own = disks.filter(
    ({ name, number, host }) =>
      !numbers.has(number) && !devices.has(`/${name}`) && (hosts.get(host ?? '') ?? paravirtual) === paravirtual,
  );
  // The disk of the system is somewhere; if nobody tells where, it has one of the places.
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

/** How many volumes fit the VM this runs in. */
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
