import { VdoError } from '@vdo/base/vdo-error';
import { pathOf } from '@vdo/checks/topology/categories';
import type { Ancestor, Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

/** `/dc/vm/folder`; the root is `/`. What was not read is called by its reference. */
export const inventoryPath = (inventory: Ancestors, ref: MoRef): string =>
  inventory.has(morefKey(ref)) ? pathOf({ ancestors: inventory }, morefKey(ref)) || '/' : `${ref.type} ${ref.value}`;

/** The object and all above it, from the object upwards. */
export const chainOf = (inventory: Ancestors, start: MoRef): readonly MoRef[] => {
  const found: MoRef[] = [];
  for (let at: MoRef | undefined = start; at; at = inventory.get(morefKey(at))?.parent) found.push(at);
  return found;
};

export const childrenOf = (inventory: Ancestors, parent: MoRef): readonly Ancestor[] =>
  [...inventory.values()].filter((one) => one.parent && morefKey(one.parent) === morefKey(parent));

const trimmed = (path: string): string =>
  `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;

/** The object of an inventory path, of one of the types. Throws InvalidArgument that names what there is instead. */
export const findByPath = (
  inventory: Ancestors,
  path: string,
  wanted: { readonly types: readonly string[]; readonly flag: string },
): MoRef => {
  const fitting = [...inventory.values()].filter(({ ref }) => wanted.types.includes(ref.type));
  const paths = new Map(fitting.map(({ ref }) => [inventoryPath(inventory, ref), ref]));
  const found = paths.get(trimmed(path));
  if (found) return found;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `${wanted.flag} ${path}: vCenter shows no ${wanted.types.join(' or ')} there; it shows ${[...paths.keys()].sort().slice(0, 12).join(', ') || 'none'}`,
    remedy: `Name one of these with ${wanted.flag}.`,
  });
};
