import { VdoError } from '@vdo/base/vdo-error';
import { pathOf } from '@vdo/checks/topology/categories';
import type { Ancestor, Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

/** `/dc/vm/folder`; the root is `/`. Objects that were not read are shown by their reference. */
export const inventoryPath = (inventory: Ancestors, ref: MoRef): string =>
  inventory.has(morefKey(ref)) ? pathOf({ ancestors: inventory }, morefKey(ref)) || '/' : `${ref.type} ${ref.value}`;

/** The object and all its parents, from the object upwards. */
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

/** The object with this inventory path and one of these types. Throws InvalidArgument with the paths that exist instead. */
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
    message: `${wanted.flag} ${path}: no ${wanted.types.join(' or ')} found at this path; found: ${[...paths.keys()].sort().slice(0, 12).join(', ') || 'none'}`,
    remedy: `Pass one of these paths with ${wanted.flag}.`,
  });
};
