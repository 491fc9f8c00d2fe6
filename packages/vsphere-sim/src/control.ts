import { VdoError } from '@vdo/base/vdo-error';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { VolumeStore } from './cns/volume-store.ts';
import type { Core } from './core.ts';
import type { FaultRule } from './fault-rules.ts';
import {
  moveToHost,
  type PowerState,
  removeVm,
  rename,
  setExtraConfig,
  setGuest,
  setPower,
} from './inventory/vm-operations.ts';
import type { DiskModel, UserModel } from './model.ts';
import { readPath } from './state/property-path.ts';

/** What happens to a vCenter behind the back of its clients. Objects are named by inventory name or MoRef value. */
export interface SimControl {
  setPower(vm: string, state: PowerState): void;
  powerOff(vm: string): void;
  powerOn(vm: string): void;
  /** Stops or starts VMware Tools: without them addresses vanish. */
  setTools(vm: string, running: boolean): void;
  /** The addresses of one network card, by its position. */
  setIps(vm: string, nic: number, ips: readonly string[]): void;
  setGuestHostName(vm: string, hostName: string): void;
  setExtraConfig(vm: string, values: Readonly<Record<string, string>>): void;
  rename(object: string, name: string): void;
  /** vMotion. */
  migrate(vm: string, host: string): void;
  /** Returns a function that puts it back, as from a backup. */
  deleteVm(vm: string): () => void;
  /** Takes the VM out of the inventory and registers its files again: it has its disks and UUIDs, and another reference. */
  registerAnew(vm: string): void;
  setHostMaintenance(host: string, inMaintenance: boolean): void;
  setDatastoreAccessible(datastore: string, accessible: boolean): void;
  /** Puts a vmdk on a datastore, by inventory path: it is no first-class disk and no volume. */
  addDisk(datastorePath: string, disk: DiskModel): void;
  /** Deletes the file of a disk that is no volume, by `[datastore] path.vmdk`. */
  removeDisk(path: string): void;
  /** Changes the password of an account, or adds one. Sessions stay. */
  setAccount(account: UserModel): void;
  /** Breaks what is under way, forgets all sessions, and refuses connections for a while. */
  restart(downMs: number): void;
  /** Forgets all tasks, as at a restart; what runs goes on untold. A vCenter made anew counts from one again. */
  forgetTasks(options?: { readonly renumber?: boolean }): void;
  /** Ends the sessions of a user, or all. */
  expireSessions(user?: string): void;
  /** Gives a principal a role on an object, by inventory path. */
  grant(
    principal: string,
    role: string,
    path: string,
    options?: { readonly propagate?: boolean; readonly group?: boolean },
  ): void;
  revoke(principal: string, path: string): void;
  /** Attaches a tag to the object at an inventory path; category and tag are made if needed. */
  tag(path: string, category: string, tag: string): void;
  untag(path: string, category: string, tag: string): void;
  /** Returns a function that takes the rule away. */
  addFault(rule: FaultRule): () => void;
  clearFaults(): void;
  /** A property of an object by its path, as stored. */
  read(object: string, path: string): unknown;
  /** Sets properties by their paths: whatever no other function here changes. */
  write(object: string, values: Readonly<Record<string, unknown>>): void;
  /** How far the vCenter's clock is ahead. */
  setClockSkew(skewMs: number): void;
  /** `green`, `yellow`, `red`, `unknown`. */
  setVolumeHealth(volumeId: string, health: string): void;
  /** Queries of volumes do not show these, as while CNS builds its database anew; the returned function ends it. Default all. */
  hideVolumes(which?: (volume: { readonly id: string }) => boolean): () => void;
  /** Queries show no snapshots of volumes; the returned function ends it. */
  hideSnapshots(): () => void;
  /** Switches the vSAN file service of a cluster off or on. */
  setFileService(cluster: string, enabled: boolean): void;
  /** The reference of an object. Throws VdoError InvalidArgument unless exactly one has this name. */
  find(name: string, type?: string): MoRef;
}

export interface ControlOptions {
  readonly core: Core;
  readonly volumes: Pick<VolumeStore, 'list' | 'put' | 'hide' | 'hideSnapshots'>;
  readonly grant: SimControl['grant'];
  readonly revoke: SimControl['revoke'];
  readonly tag: SimControl['tag'];
  readonly untag: SimControl['untag'];
  readonly restart: SimControl['restart'];
  readonly addDisk: SimControl['addDisk'];
  readonly removeDisk: SimControl['removeDisk'];
  readonly setVolumeHealth: SimControl['setVolumeHealth'];
  /** Clusters whose file service is off, by MoRef value. */
  readonly withoutFiles: Set<string>;
}

export const createControl = ({ core, volumes, withoutFiles, ...others }: ControlOptions): SimControl => {
  const find: SimControl['find'] = (name, type) => {
    const direct = type === undefined ? undefined : core.store.get({ type, value: name });
    if (direct) return direct.ref;
    const found = [...core.store.all()].filter(
      ({ ref, properties }) =>
        (type === undefined || ref.type === type) && (ref.value === name || properties['name'] === name),
    );
    const [only] = found;
    if (only && found.length === 1) return only.ref;
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${found.length} ${type ?? 'object'}s of the simulated vCenter are called ${name}, expected one`,
      remedy: 'Use an object of the model, or its MoRef value.',
    });
  };
  const vm = (name: string) => find(name, 'VirtualMachine');

  return {
    find,
    read: (name, path) => readPath(core.store.get(find(name))?.properties ?? {}, path),
    write: (name, values) => core.store.update(find(name), values),
    setClockSkew: (skewMs) => {
      core.time.skewMs = skewMs;
    },
    setPower: (name, state) => setPower(core, vm(name), state),
    powerOff: (name) => setPower(core, vm(name), 'poweredOff'),
    powerOn: (name) => setPower(core, vm(name), 'poweredOn'),
    setTools: (name, tools) => setGuest(core, vm(name), { tools }),
    setIps: (name, index, ips) => {
      const ref = vm(name);
      const nics = core.guests.get(ref.value)?.nics ?? [];
      setGuest(core, ref, { nics: nics.map((nic, i) => (i === index ? { ...nic, ips } : nic)) });
    },
    setGuestHostName: (name, hostName) => setGuest(core, vm(name), { hostName }),
    setExtraConfig: (name, values) => setExtraConfig(core, vm(name), values),
    rename: (name, newName) => rename(core, find(name), newName),
    migrate: (name, host) => moveToHost(core, vm(name), find(host, 'HostSystem')),
    deleteVm: (name) => removeVm(core, vm(name)),
    registerAnew: (name) => {
      const before = vm(name);
      const after = core.ids.next('VirtualMachine');
      removeVm(core, before)(after);
      for (const { attachedTo, ...volume } of volumes.list())
        if (attachedTo?.vm.value === before.value) volumes.put({ ...volume, attachedTo: { ...attachedTo, vm: after } });
    },
    setHostMaintenance: (name, inMaintenanceMode) =>
      core.store.update(find(name, 'HostSystem'), {
        'runtime.inMaintenanceMode': inMaintenanceMode,
        'summary.runtime.inMaintenanceMode': inMaintenanceMode,
      }),
    setDatastoreAccessible: (name, accessible) =>
      core.store.update(find(name, 'Datastore'), { 'summary.accessible': accessible }),
    setFileService: (name, enabled) => {
      const { value } = find(name, 'ClusterComputeResource');
      if (enabled) withoutFiles.delete(value);
      else withoutFiles.add(value);
    },
    hideVolumes: volumes.hide,
    hideSnapshots: volumes.hideSnapshots,
    setAccount: (account) => core.accounts.set(account),
    forgetTasks: (options) => core.tasks.forget(options),
    expireSessions: (user) => core.sessions.expire(user),
    ...others,
    addFault: (rule) => core.faults.add(rule),
    clearFaults: () => core.faults.clear(),
  };
};
