import { VdoError } from '@vdo/base/vdo-error';
import { newDiskFile } from '../cns/disk-files.ts';
import type { VolumeStore } from '../cns/volume-store.ts';
import type { SimControl } from '../control.ts';
import type { Core } from '../core.ts';

/** Vmdks that are created and deleted without vCenter. */
export const createDiskFiles = (core: Core, volumes: VolumeStore): Pick<SimControl, 'addDisk' | 'removeDisk'> => ({
  addDisk: (datastorePath, disk) => {
    const datastore = core.search.byPath(datastorePath);
    if (datastore?.type !== 'Datastore')
      throw new VdoError({
        code: 'InvalidArgument',
        message: `the simulated vCenter has no datastore at ${datastorePath}`,
        remedy: 'Use an inventory path of the model, such as /datacenter/datastore/name.',
      });
    volumes.putDisk(newDiskFile(core, datastore, disk));
  },
  removeDisk: (path) => {
    for (const disk of volumes.disks().filter((file) => file.path === path)) {
      if (disk.firstClass) volumes.putDisk({ ...disk, fileGone: true });
      else volumes.removeDisk(disk.id);
    }
  },
});
