import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeLoopSysfs } from '@vdo/linux-disks/testing/loop-disk';

/** The sysfs of a VM below `folder`: this machine's block devices, and the serial number of the VM. */
export const makeSysfs = async (folder: string, uuid: string): Promise<string> => {
  const root = join(folder, 'sys');
  await mkdir(join(root, 'class/dmi/id'), { recursive: true });
  await makeLoopSysfs(root);
  const hex = uuid.replaceAll('-', '').match(/../g) ?? [];
  const serial = `VMware-${hex.slice(0, 8).join(' ')}-${hex.slice(8).join(' ')}`;
  await writeFile(join(root, 'class/dmi/id/product_serial'), `${serial}\n`);
  return root;
};
