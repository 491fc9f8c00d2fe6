import { VdoError } from '@vdo/base/vdo-error';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { childrenOf, findByPath } from '../../../shared/vsphere/inventory.ts';

/** Where objects are created, as given by the user. */
export interface SiteNames {
  /** Inventory path of the folder of the test VM. */
  readonly folder: string;
  /** Name of the test VM. */
  readonly vm: string;
  /** Inventory path. */
  readonly datastore: string;
}

export interface Site {
  readonly vm: MoRef;
  readonly datastore: MoRef;
}

/** Finds the VM and the datastore. Throws InvalidArgument with the objects that exist instead. */
export const findSite = (inventory: Ancestors, names: SiteNames): Site => {
  const folder = findByPath(inventory, names.folder, { types: ['Folder'], flag: '--folder' });
  const vms = childrenOf(inventory, folder).filter(({ ref }) => ref.type === 'VirtualMachine');
  const named = vms.filter(({ name }) => name === names.vm);
  const [found] = named;
  if (!found || named.length > 1)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--vm ${names.vm}: the folder ${names.folder} has ${named.length === 0 ? 'no such VM' : 'several of that name'}; it has ${
        vms
          .map(({ name }) => name)
          .sort()
          .slice(0, 12)
          .join(', ') || 'none'
      }`,
      remedy: 'Pass a VM that is directly in this folder and is not in use, with --vm.',
    });
  const datastore = findByPath(inventory, names.datastore, { types: ['Datastore'], flag: '--datastore' });
  return { vm: found.ref, datastore };
};

/** The part of the inventory that is read: VMs, datastores, and their parent folders. */
export const readInventory = (vcenter: Pick<FullVCenter, 'inventory'>, signal: AbortSignal): Promise<Ancestors> =>
  vcenter.inventory.read(['VirtualMachine', 'Datastore', 'Folder'], { signal });

/** Any VM and any datastore, if none are given. */
export const anySite = (inventory: Ancestors): Partial<Site> => {
  const first = (type: string) => [...inventory.values()].find(({ ref }) => ref.type === type)?.ref;
  const vm = first('VirtualMachine');
  const datastore = first('Datastore');
  return { ...(vm ? { vm } : {}), ...(datastore ? { datastore } : {}) };
};
