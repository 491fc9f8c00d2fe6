import type { RequiredRole } from '@vdo/checks/facts/required-role';
import { readPrivileges } from '@vdo/checks/privileges/required-privileges';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { chainOf, inventoryPath } from '../../../shared/vsphere/inventory.ts';

/** The objects that the drivers use. */
export interface GrantTargets {
  readonly root: MoRef;
  /** Folders of the node VMs. */
  readonly folders: readonly MoRef[];
  /** Resource pools and hosts of the node VMs: these and all their parents must be readable. */
  readonly places: readonly MoRef[];
  readonly datastores: readonly MoRef[];
  readonly fileClusters: readonly MoRef[];
}

/** One permission of the account. */
export interface Grant {
  readonly ref: MoRef;
  readonly path: string;
  readonly role: string;
  readonly propagate: boolean;
  readonly reason: string;
}

const reasons: Readonly<Record<Exclude<RequiredRole['scope'], 'ancestors'>, string>> = {
  root: 'find volumes and read storage policies',
  'node-vms': 'attach disks to the node VMs in it',
  datastores: 'create volumes on it',
  'file-service-clusters': 'create file shares on it, and read its hosts',
};

const readReason = ({ type }: MoRef): string =>
  type === 'HostSystem' ? 'node VMs run on it, or may move to it' : 'parent of node VMs';

/** Every role can read; this one can do nothing else. */
const readerOf = (roles: readonly RequiredRole[]): RequiredRole => {
  const reader = roles.find(({ scope }) => scope === 'ancestors');
  if (!reader) throw new Error('the table of privileges has no read-only role');
  return reader;
};

export const isReader = ({ privileges }: Pick<RequiredRole, 'privileges'>): boolean =>
  privileges.every((privilege) => (readPrivileges as readonly string[]).includes(privilege));

/**
 * The permissions of an account, from the root down. An account has one permission per object, and the nearest one
 * applies. So an object below a propagating permission gets none of its own, or it would lose the inherited one.
 */
export const wantedGrants = (
  roles: readonly RequiredRole[],
  targets: GrantTargets,
  inventory: Ancestors,
): readonly Grant[] => {
  const reader = readerOf(roles);
  const found = new Map<string, Grant>();
  const above = (ref: MoRef): readonly MoRef[] => chainOf(inventory, ref).slice(1);
  const inherits = (ref: MoRef): boolean => above(ref).some((one) => found.get(morefKey(one))?.propagate);
  const add = (ref: MoRef, grant: Pick<Grant, 'role' | 'propagate' | 'reason'>): void => {
    if (found.has(morefKey(ref)) || inherits(ref)) return;
    found.set(morefKey(ref), { ref, path: inventoryPath(inventory, ref), ...grant });
  };
  const objects = {
    root: [targets.root],
    'node-vms': targets.folders,
    datastores: targets.datastores,
    'file-service-clusters': targets.fileClusters,
  };
  // Shortest path first: a folder inherits from its parent folder.
  const fromTop = (refs: readonly MoRef[]) =>
    refs.toSorted((left, right) => chainOf(inventory, left).length - chainOf(inventory, right).length);
  for (const { scope, name, propagate } of roles)
    if (scope !== 'ancestors')
      for (const ref of fromTop(objects[scope])) add(ref, { role: name, propagate, reason: reasons[scope] });
  const { name: role } = reader;
  // Without the storage driver nothing is attached, so the VMs only need to be readable.
  for (const ref of fromTop(targets.folders)) add(ref, { role, propagate: true, reason: 'read the node VMs in it' });
  const starts = [targets.root, ...targets.folders, ...targets.fileClusters, ...targets.places];
  for (const ref of new Map(
    starts.flatMap((start) => chainOf(inventory, start)).map((one) => [morefKey(one), one]),
  ).values())
    add(ref, { role, propagate: false, reason: readReason(ref) });
  return [...found.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
};
