import { isVdoError } from '@vdo/base/vdo-error';
import { attempt, type Reading } from '@vdo/checks/facts/reading';
import type { PrivilegeScope, RequiredRole } from '@vdo/checks/facts/required-role';
import type { PlaceFacts, PrivilegeFacts, RoleFacts } from '@vdo/checks/facts/vcenter-facts';
import { excessPrivileges } from '@vdo/checks/privileges/excess-privileges';
import { pathOf } from '@vdo/checks/topology/categories';
import { isNamedCluster } from '@vdo/config/named-cluster';
import type { DatastoreHealth, VmHealth } from '@vdo/vsphere/health/health-reader';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { HealthVCenter } from './gather-deps.ts';

export interface PrivilegeInput {
  /** What the account needs. */
  readonly roles: readonly RequiredRole[];
  readonly vms: readonly VmHealth[];
  readonly places: PlaceFacts;
  readonly shared: readonly DatastoreHealth[];
  readonly ancestors: Ancestors;
  /** Clusters for file volumes, by name, inventory path or ID; empty: any vSAN cluster of the nodes. */
  readonly fileClusters: readonly string[];
}

type Named = RoleFacts['objects'][number];

/** The objects of each scope, with the paths that govc takes. */
const objectsOf = (scope: PrivilegeScope, root: MoRef, input: PrivilegeInput): readonly Named[] => {
  const { vms, places, shared, ancestors } = input;
  const above = (ref: MoRef | undefined): string => (ref ? pathOf({ ancestors }, morefKey(ref)) : '');
  switch (scope) {
    case 'root':
      return [{ ref: root, path: '/' }];
    case 'node-vms':
      return vms.map(({ ref, folder, name }) => ({ ref, path: `${above(folder)}/${name}` }));
    case 'datastores':
      return shared.map(({ ref, name }) => ({ ref, path: name }));
    case 'file-service-clusters': {
      const vsan = new Set(
        (places.datastores ?? []).filter(({ type }) => type === 'vsan').map(({ ref }) => morefKey(ref)),
      );
      const hosts = [...places.hosts.values()].filter(({ datastores }) =>
        datastores.some((one) => vsan.has(morefKey(one))),
      );
      const clusters = new Map(hosts.flatMap(({ parent }) => (parent ? [[morefKey(parent), parent] as const] : [])));
      const all = [...clusters.values()].map((ref) => ({ ref, path: above(ref) }));
      const { fileClusters } = input;
      return fileClusters.length === 0 ? all : all.filter((one) => isNamedCluster(one, fileClusters));
    }
    case 'ancestors':
      return [];
  }
};

/** vCenter omits objects that the account may not read. A VM that is powered off may have no host, one in a vApp has no folder. */
const hidesPlace = ({ host, folder, resourcePool, powerState }: VmHealth): boolean =>
  resourcePool === undefined ||
  (host === undefined && powerState === 'poweredOn') ||
  (folder === undefined && resourcePool.type !== 'VirtualApp');

/** Node VMs whose host, folder or resource pool is hidden, as one. */
const hiddenPlaces = (vms: readonly VmHealth[]): PrivilegeFacts['dead'] => {
  const hidden = vms.filter(hidesPlace);
  const [first] = hidden;
  return first ? [{ ref: first.ref, name: first.name, vms: hidden.map(({ name }) => name) }] : [];
};

/** Chains of parents that end before the root: the account cannot see further. */
const deadEnds = (root: MoRef, { vms, ancestors }: PrivilegeInput): PrivilegeFacts['dead'] => {
  const dead = new Map<string, { readonly ref: MoRef; readonly name: string; readonly vms: string[] }>();
  for (const { name, host, folder, resourcePool } of vms)
    for (const start of [host, folder, resourcePool]) {
      let at = start;
      for (let next = at; next; next = ancestors.get(morefKey(next))?.parent) at = next;
      if (!at || morefKey(at) === morefKey(root)) continue;
      const entry = dead.get(morefKey(at)) ?? { ref: at, name: ancestors.get(morefKey(at))?.name ?? at.value, vms: [] };
      if (!entry.vms.includes(name)) entry.vms.push(name);
      dead.set(morefKey(at), entry);
    }
  return [...dead.values(), ...hiddenPlaces(vms)];
};

/** The privileges of the account where it needs them: one call for the root, and one per 2500 other objects. */
export const readPrivileges = (
  vcenter: HealthVCenter,
  input: PrivilegeInput,
  signal: AbortSignal,
): Promise<Reading<PrivilegeFacts>> =>
  attempt(async () => {
    const root = await vcenter.health.rootFolder({ signal });
    const missingOn = async (objects: readonly Named[], privileges: readonly string[]) => {
      const refs = objects.map(({ ref }) => ref);
      if (refs.length === 0) return new Map<string, readonly string[]>();
      try {
        return await vcenter.authorization.missingPrivileges(refs, privileges, { signal });
      } catch (error) {
        // Even this query needs System.Read: an account that may not read an object may do nothing with it.
        if (!isVdoError(error, 'VCenterPermissionDenied')) throw error;
        return new Map(refs.map((ref) => [morefKey(ref), privileges]));
      }
    };
    const required = input.roles.filter(({ scope }) => scope !== 'ancestors');
    const needed = new Set(required.flatMap(({ privileges }) => privileges));
    const tempting = excessPrivileges.filter((privilege) => !needed.has(privilege));
    // The needed and the unneeded privileges at the root are queried in one call.
    const atRoot = required.filter(({ scope }) => scope === 'root').flatMap(({ privileges }) => privileges);
    const rootObjects = [{ ref: root, path: '/' }];
    const lacking = (await missingOn(rootObjects, [...atRoot, ...tempting])).get(morefKey(root)) ?? [];
    const roles: RoleFacts[] = [];
    for (const role of required) {
      const objects = objectsOf(role.scope, root, input);
      const ofRoot = role.privileges.filter((privilege) => lacking.includes(privilege));
      const missing =
        role.scope === 'root'
          ? new Map(ofRoot.length > 0 ? [[morefKey(root), ofRoot] as const] : [])
          : await missingOn(objects, role.privileges);
      roles.push({ role, objects, missing });
    }
    return {
      roles,
      excess: tempting.filter((privilege) => !lacking.includes(privilege)),
      dead: deadEnds(root, input),
    };
  }, signal);
