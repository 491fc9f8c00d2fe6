import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The serial number that a VM shows its guest, from its BIOS UUID. */
const serialOf = (uuid: string): string => {
  const hex = uuid.replaceAll('-', '').match(/../g) ?? [];
  return `VMware-${hex.slice(0, 8).join(' ')}-${hex.slice(8).join(' ')}`;
};

export const machineFolders = (folder: string) => ({ sysfsRoot: join(folder, 'sys'), devRoot: join(folder, 'dev') });

/** Creates the parts of /sys and /dev of a VM that the storage driver reads. `realBlocks`: with the block devices of this machine. */
export const makeMachineFolder = async (
  folder: string,
  { uuid, realBlocks }: { readonly uuid: string; readonly realBlocks: boolean },
): Promise<void> => {
  const { sysfsRoot, devRoot } = machineFolders(folder);
  await mkdir(join(sysfsRoot, 'class/dmi/id'), { recursive: true });
  await mkdir(devRoot, { recursive: true });
  // The disks attached to the VM appear here by name.
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
