import { VdoError } from '@vdo/base/vdo-error';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { childrenOf, findByPath } from '../../../shared/vsphere/inventory.ts';

/** Where something is made, as a person named it. */
export interface SiteWish {
  /** Inventory path of the folder that the test VM is in. */
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

/** The VM and the datastore that were named. Throws InvalidArgument that says what there is instead. */
export const findSite = (inventory: Ancestors, wish: SiteWish): Site => {
  const folder = findByPath(inventory, wish.folder, { types: ['Folder'], flag: '--folder' });
  const vms = childrenOf(inventory, folder).filter(({ ref }) => ref.type === 'VirtualMachine');
  const named = vms.filter(({ name }) => name === wish.vm);
  const [found] = named;
  if (!found || named.length > 1)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--vm ${wish.vm}: the folder ${wish.folder} has ${named.length === 0 ? 'no such VM' : 'several of that name'}; it has ${
        vms
          .map(({ name }) => name)
          .sort()
          .slice(0, 12)
          .join(', ') || 'none'
      }`,
      remedy: 'Name a VM that lies in the folder itself, and that nobody depends on, with --vm.',
    });
  const datastore = findByPath(inventory, wish.datastore, { types: ['Datastore'], flag: '--datastore' });
  return { vm: found.ref, datastore };
};

/** What of the inventory is looked at: VMs, datastores, and the folders above them. */
export const readInventory = (vcenter: Pick<FullVCenter, 'inventory'>, signal: AbortSignal): Promise<Ancestors> =>
  vcenter.inventory.read(['VirtualMachine', 'Datastore', 'Folder'], { signal });

/** Some VM and some datastore, to look at where none are named. */
export const anySite = (inventory: Ancestors): Partial<Site> => {
  const first = (type: string) => [...inventory.values()].find(({ ref }) => ref.type === type)?.ref;
  const vm = first('VirtualMachine');
  const datastore = first('Datastore');
  return { ...(vm ? { vm } : {}), ...(datastore ? { datastore } : {}) };
};
