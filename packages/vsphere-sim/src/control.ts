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

/** Changes of a vCenter that its clients do not request. Objects are identified by inventory name or MoRef value. */
export interface SimControl {
  setPower(vm: string, state: PowerState): void;
  powerOff(vm: string): void;
  powerOn(vm: string): void;
  /** Stops or starts VMware Tools: without it, addresses are no longer reported. */
  setTools(vm: string, running: boolean): void;
  /** The addresses of one network card, by its position. */
  setIps(vm: string, nic: number, ips: readonly string[]): void;
  setGuestHostName(vm: string, hostName: string): void;
  setExtraConfig(vm: string, values: Readonly<Record<string, string>>): void;
  rename(object: string, name: string): void;
  /** vMotion. */
  migrate(vm: string, host: string): void;
  /** Deletes the VM; returns a function that restores it, as from a backup. */
  deleteVm(vm: string): () => void;
  /** Unregisters the VM and registers its files again: it keeps its disks and UUIDs, but gets another reference. */
  registerAgain(vm: string): void;
  setHostMaintenance(host: string, inMaintenance: boolean): void;
  setDatastoreAccessible(datastore: string, accessible: boolean): void;
  /** Creates a vmdk on a datastore (inventory path) that is neither a first-class disk nor a volume. */
  addDisk(datastorePath: string, disk: DiskModel): void;
  /** Deletes the file of a disk that is not a volume, by `[datastore] path.vmdk`. */
  removeDisk(path: string): void;
  /** Changes the password of an account, or adds one. Sessions stay. */
  setAccount(account: UserModel): void;
  /** Interrupts calls in progress, ends all sessions, and refuses connections for a while. */
  restart(downMs: number): void;
  /** Removes all tasks from the list, as at a restart; running work continues. A newly installed vCenter starts to number its tasks at one again. */
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
  /** Returns a function that removes the rule. */
  addFault(rule: FaultRule): () => void;
  clearFaults(): void;
  /** A property of an object by its path, as stored. */
  read(object: string, path: string): unknown;
  /** Sets properties by their paths, for changes without their own function here. */
  write(object: string, values: Readonly<Record<string, unknown>>): void;
  /** How far the vCenter's clock is ahead. */
  setClockSkew(skewMs: number): void;
  /** `green`, `yellow`, `red`, `unknown`. */
  setVolumeHealth(volumeId: string, health: string): void;
  /** `compliant`, `nonCompliant`, `unknown`. */
  setVolumeCompliance(volumeId: string, compliance: string): void;
  /** Hides these volumes in queries (all by default), as while CNS rebuilds its database; the returned function ends this. */
  hideVolumes(which?: (volume: { readonly id: string }) => boolean): () => void;
  /** Hides all snapshots of volumes in queries; the returned function ends this. */
  hideSnapshots(): () => void;
  /** Disables or enables the vSAN file service of a cluster. */
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
  readonly setVolumeCompliance: SimControl['setVolumeCompliance'];
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
    registerAgain: (name) => {
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
