import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The serial number that a VM shows its guest, from its BIOS UUID. */
const serialOf = (uuid: string): string => {
  const hex = uuid.replaceAll('-', '').match(/../g) ?? [];
  return `VMware-${hex.slice(0, 8).join(' ')}-${hex.slice(8).join(' ')}`;
};

export const machineFolders = (folder: string) => ({ sysfsRoot: join(folder, 'sys'), devRoot: join(folder, 'dev') });

/** Makes the part of /sys and /dev of a VM that the storage driver looks at. `realBlocks`: with this machine's block devices. */
export const makeMachineFolder = async (
  folder: string,
  { uuid, realBlocks }: { readonly uuid: string; readonly realBlocks: boolean },
): Promise<void> => {
  const { sysfsRoot, devRoot } = machineFolders(folder);
  await mkdir(join(sysfsRoot, 'class/dmi/id'), { recursive: true });
  await mkdir(devRoot, { recursive: true });
  // The disks that are attached to the VM name themselves here.
  await mkdir(join(sysfsRoot, 'block'), { recursive: true });
  await writeFile(join(sysfsRoot, 'class/dmi/id/product_serial'), `${serialOf(uuid)}\n`);
  for (const path of ['dev/block', 'class/block']) {
    if (!realBlocks) await mkdir(join(sysfsRoot, path), { recursive: true });
    else {
      await mkdir(join(sysfsRoot, path, '..'), { recursive: true });
      await rm(join(sysfsRoot, path), { recursive: true, force: true });
      await symlink(join('/sys', path), join(sysfsRoot, path));
    }
  }
};
