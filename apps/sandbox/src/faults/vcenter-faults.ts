import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { SimControl } from '@vdo/vsphere-sim/control';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { Fault } from './fault.ts';
import type { FaultName } from './fault-catalogue.ts';

export interface VCenterFaultOptions {
  readonly control: SimControl;
  readonly volumes: VSphereSim['volumes'];
  /** Names of the node VMs. */
  readonly nodeNames: readonly string[];
  readonly username: string;
  /** Updates the password in the cluster and in the record. */
  readonly usePassword: (password: string) => Promise<void>;
  readonly passwordEnd?: string | undefined;
  readonly random: Random;
}

const forEverMs = 365 * 24 * 3_600_000;
const slowMs = 2_000;
const role = 'CNS-VM';
const datastores = ['vsanDatastore', 'shared-vmfs', 'local-a'];

/** Faults of the simulated vCenter, through its controls. */
export const vcenterFaults = (options: VCenterFaultOptions): Partial<Record<FaultName, Fault>> => {
  const { control, username } = options;
  const setPassword = (password: string): void => control.setAccount({ username, password });
  /** The last node whose VM has volumes, or has none; otherwise any node. Deleted VMs do not count. */
  const chooseNode = (withVolumes: boolean): string => {
    const busy = new Set(options.volumes.list().map(({ attachedTo }) => attachedTo?.vm.value ?? ''));
    const vms = options.nodeNames.flatMap((name) => {
      try {
        return [{ name, isBusy: busy.has(control.find(name, 'VirtualMachine').value) }];
      } catch {
        return [];
      }
    });
    const chosen = vms.findLast(({ isBusy }) => isBusy === withVolumes) ?? vms.at(-1);
    if (!chosen)
      throw new VdoError({
        code: 'InvalidArgument',
        message: 'all VMs of nodes are deleted',
        remedy: 'Run vdoctl sandbox heal first.',
      });
    return chosen.name;
  };

  return {
    'vcenter-down': async () => {
      control.restart(forEverMs);
      return { reported: 'vCenter refuses every call.', heal: async () => control.restart(0) };
    },
    'slow-vcenter': async () => {
      const remove = control.addFault({ method: '*', effect: { kind: 'latency', ms: slowMs } });
      return { reported: `Every call to vCenter takes ${slowMs / 1000} s longer.`, heal: async () => remove() };
    },
    'bad-password': async () => {
      setPassword(`changed-${options.random.uuid()}`);
      control.expireSessions(username);
      return {
        reported: `The password of ${username} was changed on vCenter, and its sessions were ended.`,
        // As an administrator would: a new password, in vCenter and in the Secret.
        heal: async () => {
          const password = `obviously-fake-${options.random.uuid()}${options.passwordEnd ?? ''}`;
          setPassword(password);
          await options.usePassword(password);
        },
      };
    },
    'session-expired': async () => {
      control.expireSessions();
      return { reported: 'All sessions on vCenter were ended.' };
    },
    'privilege-lost': async () => {
      const path = '/demo/vm/kubernetes';
      control.revoke(username, path);
      return {
        reported: `The role ${role} of ${username} on ${path} was removed.`,
        heal: async () => control.grant(username, role, path),
      };
    },
    'datastore-full': async () => {
      const before = datastores.map((name) => [name, control.read(name, 'summary.freeSpace')] as const);
      const setFree = (name: string, free: unknown) =>
        control.write(name, { 'summary.freeSpace': free, 'info.freeSpace': free });
      for (const name of datastores) setFree(name, 0n);
      return {
        reported: `${datastores.join(', ')} have no free space.`,
        heal: async () => {
          for (const [name, free] of before) setFree(name, free);
        },
      };
    },
    'datastore-gone': async () => {
      control.setDatastoreAccessible('shared-vmfs', false);
      return {
        reported: 'No host can reach the datastore shared-vmfs.',
        heal: async () => control.setDatastoreAccessible('shared-vmfs', true),
      };
    },
    'tools-stopped': async () => {
      const vm = chooseNode(true);
      control.setTools(vm, false);
      return { reported: `VMware Tools were stopped in the VM ${vm}.`, heal: async () => control.setTools(vm, true) };
    },
    'disk-uuid-off': async () => {
      const vm = chooseNode(true);
      control.setExtraConfig(vm, { 'disk.EnableUUID': 'FALSE' });
      return {
        reported: `disk.EnableUUID of the VM ${vm} was set to FALSE.`,
        heal: async () => control.setExtraConfig(vm, { 'disk.EnableUUID': 'TRUE' }),
      };
    },
    // A VM without volumes: the disks of a deleted VM could not be restored.
    'vm-deleted': async () => {
      const vm = chooseNode(false);
      const restore = control.deleteVm(vm);
      return { reported: `The VM ${vm} was deleted.`, heal: async () => restore() };
    },
  };
};
