import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MountEntry } from './linux/mount-table.ts';
import type { Mounter } from './linux/mounter.ts';

/** Disks of a VM: four SCSI controllers with 15 each. vSphere 8 takes more if the VM has PVSCSI controllers for it: then it is said by hand. */
const slots = 60;

/** Where the kubelet keeps volumes of CSI drivers, staged, published and raw. */
const ofVolumes = /\/kubernetes\.io[~/]csi\//;

export interface BlockDevice {
  /** `sdb`. */
  readonly name: string;
  /** `8:16`. */
  readonly number: string;
}

/** Disks that still fit a VM beside its own: whatever is not mounted for a pod counts as its own. */
export const decideAttachLimit = (disks: readonly BlockDevice[], mounts: readonly MountEntry[]): number => {
  const volumes = mounts.filter(({ target }) => ofVolumes.test(target));
  const numbers = new Set(volumes.map(({ device }) => device));
  // A raw device is a file of the device file system, mounted over a file of the pod's.
  const devices = new Set(volumes.map(({ root }) => root));
  const own = disks.filter(({ name, number }) => !numbers.has(number) && !devices.has(`/${name}`));
  return Math.max(1, slots - Math.max(1, own.length));
};

/** How many volumes fit the VM this runs in. */
export const readAttachLimit = async (deps: {
  readonly sysfsRoot: string;
  readonly mounter: Pick<Mounter, 'list'>;
  readonly signal: AbortSignal;
}): Promise<number> => {
  const folder = join(deps.sysfsRoot, 'block');
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^sd[a-z]+$/.test(name));
  const disks = await Promise.all(
    names.map(async (name) => ({
      name,
      number: (await readFile(join(folder, name, 'dev'), 'utf8').catch(() => '')).trim(),
    })),
  );
  return decideAttachLimit(disks, await deps.mounter.list({ signal: deps.signal }));
};
