import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { Core } from '../core.ts';
import { readPath } from '../state/property-path.ts';
import { type Guest, guestTree } from './guest-tree.ts';
import { isTrue } from './vm-tree.ts';

export type PowerState = 'poweredOn' | 'poweredOff' | 'suspended';

type Parts = Pick<Core, 'store' | 'guests' | 'clock' | 'permissions'>;

const property = (core: Parts, ref: MoRef, path: string): unknown =>
  readPath(core.store.get(ref)?.properties ?? {}, path);

export const powerOf = (core: Parts, vm: MoRef): PowerState => property(core, vm, 'runtime.powerState') as PowerState;

export const setPower = (core: Parts, vm: MoRef, powerState: PowerState): void => {
  const guest = core.guests.get(vm.value);
  const on = powerState === 'poweredOn';
  core.store.update(vm, {
    'runtime.powerState': powerState,
    'runtime.bootTime': on ? new Date(core.clock.now()) : undefined,
    guestHeartbeatStatus: on && guest?.tools ? 'green' : 'gray',
    ...(guest ? { guest: guestTree(guest, on) } : {}),
  });
};

/** Changes the guest: VMware Tools, host name, addresses. */
export const setGuest = (core: Parts, vm: MoRef, change: Partial<Guest>): void => {
  const before = core.guests.get(vm.value);
  if (!before) return;
  const guest = { ...before, ...change };
  core.guests.set(vm.value, guest);
  const on = powerOf(core, vm) === 'poweredOn';
  core.store.update(vm, { guest: guestTree(guest, on), guestHeartbeatStatus: on && guest.tools ? 'green' : 'gray' });
};

export const rename = (core: Parts, object: MoRef, name: string): void =>
  core.store.update(object, {
    name,
    ...(object.type === 'VirtualMachine' ? { 'config.name': name } : {}),
    ...(object.type === 'Datastore' ? { 'summary.name': name, 'info.name': name } : {}),
  });

export const setExtraConfig = (core: Parts, vm: MoRef, changes: Readonly<Record<string, unknown>>): void => {
  const before = (property(core, vm, 'config.extraConfig') ?? []) as readonly { key: string; value: unknown }[];
  const kept = before.filter(({ key }) => !(key in changes));
  // An empty value removes the key.
  const added = Object.entries(changes).flatMap(([key, value]) => (value === '' ? [] : [{ key, value }]));
  core.store.update(vm, {
    'config.extraConfig': [...kept, ...added],
    ...('disk.EnableUUID' in changes ? { 'config.flags.diskUuidEnabled': isTrue(changes['disk.EnableUUID']) } : {}),
  });
};

const without = (core: Parts, owner: MoRef | undefined, path: string, ref: MoRef): void => {
  const before = owner && (property(core, owner, path) as readonly MoRef[] | undefined);
  if (!before) return;
  core.store.update(owner, { [path]: before.filter((other) => morefKey(other) !== morefKey(ref)) });
};

const including = (core: Parts, owner: MoRef, path: string, ref: MoRef): void =>
  core.store.update(owner, { [path]: [...((property(core, owner, path) ?? []) as readonly MoRef[]), ref] });

/** vMotion: to another host, and to its pool if that belongs to another cluster. */
export const moveToHost = (core: Parts, vm: MoRef, host: MoRef): void => {
  without(core, property(core, vm, 'runtime.host') as MoRef | undefined, 'vm', vm);
  including(core, host, 'vm', vm);
  core.store.update(vm, { 'runtime.host': host });
  const owner = property(core, host, 'parent') as MoRef;
  const pool = property(core, vm, 'resourcePool') as MoRef | undefined;
  if (pool && morefKey(property(core, pool, 'owner') as MoRef) === morefKey(owner)) return;
  const target = property(core, owner, 'resourcePool') as MoRef;
  without(core, pool, 'vm', vm);
  including(core, target, 'vm', vm);
  core.store.update(vm, { resourcePool: target });
  core.permissions.invalidate();
};

/**
 * Removes a VM from the inventory, including all references to it. Returns a function that restores it: as from a backup, or with a new reference, as
 * when its files are registered again.
 */
export const removeVm = (core: Parts, vm: MoRef): ((as?: MoRef) => void) => {
  const one = (path: string) => [property(core, vm, path) as MoRef | undefined].flatMap((ref) => (ref ? [ref] : []));
  const listed = (path: string) => (property(core, vm, path) ?? []) as readonly MoRef[];
  const owners = [...one('runtime.host'), ...one('resourcePool'), ...listed('datastore'), ...listed('network')];
  const mentions = [
    ...owners.map((owner) => [owner, 'vm'] as const),
    ...one('parent').map((owner) => [owner, 'childEntity'] as const),
  ];
  const known = core.store.get(vm);
  const guest = core.guests.get(vm.value);
  for (const [owner, path] of mentions) without(core, owner, path, vm);
  core.guests.delete(vm.value);
  core.store.remove(vm);
  return (as = vm) => {
    if (!known || core.store.get(as)) return;
    core.store.put(as, known.properties);
    if (guest) core.guests.set(as.value, guest);
    for (const [owner, path] of mentions) including(core, owner, path, as);
    core.permissions.invalidate();
  };
};
