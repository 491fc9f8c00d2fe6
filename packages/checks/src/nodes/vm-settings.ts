import { type Check, fail, pass, skipped, unknown, warn } from '../check.ts';
import { byPowerCycle, govcVm, nodeObject, perVm } from '../node-object.ts';

const minHardware = 15;
const fewSlots = 3;

export const diskEnableUuidCheck: Check = {
  id: 'node/disk-enable-uuid',
  title: 'The guest of each node VM sees the UUIDs of its disks.',
  meaning:
    'Without `disk.EnableUUID` an attached disk has no name under `/dev/disk/by-id`, and pods on the node do not get their volumes.',
  remedy:
    '`vdoctl vsphere vms prepare VM --power-cycle` sets it, one node after the other; or while the VM is off: `govc vm.change -vm VM -e disk.EnableUUID=TRUE`.',
  action: 'BlockUpgrade',
  judge: perVm((vm, facts, { spec }) => {
    const object = nodeObject(facts);
    if (!spec.csi) return skipped(object, 'spec.csi is not set');
    if (vm.diskUuidEnabled) return pass(object, 'disk.EnableUUID is TRUE');
    return fail(object, {
      reason: 'DiskUuidDisabled',
      message: `disk.EnableUUID of VM ${vm.name} is not TRUE, so that the node cannot find attached disks`,
      ...byPowerCycle(object.name, vm, diskEnableUuidCheck.id),
    });
  }),
};

export const hardwareVersionCheck: Check = {
  id: 'node/hardware-version',
  title: `The hardware version of each node VM is ${minHardware} or later.`,
  meaning: 'Volumes are first-class disks, which older virtual hardware does not support.',
  remedy: `\`vdoctl vsphere vms prepare VM --power-cycle\` upgrades it, one node after the other; or while the VM is off: \`govc vm.upgrade -version=${minHardware} -vm VM\`.`,
  action: 'BlockUpgrade',
  judge: perVm((vm, facts) => {
    const object = nodeObject(facts);
    if (vm.hardwareVersion === 0)
      return unknown(object, 'the account cannot read its hardware version', 'privileges/ancestors-readable');
    if (vm.hardwareVersion >= minHardware) return pass(object, `its hardware version is vmx-${vm.hardwareVersion}`);
    return fail(object, {
      reason: 'HardwareTooOld',
      message: `VM ${vm.name} has hardware version vmx-${vm.hardwareVersion}, expected vmx-${minHardware} or later`,
      ...byPowerCycle(object.name, vm, hardwareVersionCheck.id),
    });
  }),
};

export const diskSlotsCheck: Check = {
  id: 'node/disk-slots',
  title: 'Each node VM has free SCSI slots for disks.',
  meaning: 'When all slots of the SCSI controllers are in use, no more volumes can be attached to the node.',
  remedy: 'Add a paravirtual controller, up to four: `govc device.scsi.add -vm VM -type pvscsi`.',
  action: 'BlockUpgrade',
  judge: perVm((vm, facts, { spec }) => {
    const object = nodeObject(facts);
    if (!spec.csi) return skipped(object, 'spec.csi is not set');
    const { slots } = facts;
    if (!slots) return unknown(object, 'the SCSI controllers of its VM were not read', 'privileges/ancestors-readable');
    const free = slots.total - slots.used;
    const taken = `${slots.used} of ${slots.total} slots on ${slots.controllers} SCSI controllers of VM ${vm.name} are in use`;
    if (slots.paravirtual > 0 && free > fewSlots) return pass(object, taken);
    const remedy =
      slots.controllers < 4
        ? {
            remedy: `Add a paravirtual SCSI controller to VM ${vm.name}:`,
            commands: [`govc device.scsi.add ${govcVm(vm)} -type pvscsi`],
          }
        : {
            remedy: 'Add nodes, or cordon this node and move some pods with volumes to other nodes:',
            commands: [`kubectl cordon ${object.name}`],
          };
    if (free <= 0) return fail(object, { reason: 'NoDiskSlots', message: taken, ...remedy });
    if (slots.paravirtual === 0)
      return warn(object, {
        reason: 'NoParavirtualController',
        message: `VM ${vm.name} has no paravirtual SCSI controller, on which volumes are attached`,
        ...remedy,
      });
    return warn(object, {
      reason: 'FewDiskSlots',
      message: `${taken}; expected more than ${fewSlots} free`,
      ...remedy,
    });
  }),
};

export const toolsRunningCheck: Check = {
  id: 'node/tools-running',
  title: 'VMware Tools are running on each node.',
  meaning:
    'Without VMware Tools vCenter knows neither the IP addresses nor the host name of the node, so that a new node is not initialized.',
  remedy:
    'On the node: `apt-get install open-vm-tools` (or `dnf install`), then `systemctl enable --now open-vm-tools` (or `vmtoolsd`).',
  action: 'BlockUpgrade',
  judge: perVm((vm, facts, { spec }) => {
    const object = nodeObject(facts);
    if (vm.toolsRunning) return pass(object, 'VMware Tools are running');
    const power = vm.powerState === 'poweredOn' ? '' : `: it is ${vm.powerState}`;
    const problem = {
      reason: 'ToolsNotRunning',
      message: `VMware Tools are not running in VM ${vm.name}${power}`,
      ...(vm.powerState === 'poweredOn'
        ? {
            remedy: `On node ${object.name}, as root: apt-get install -y open-vm-tools || dnf install -y open-vm-tools; systemctl enable --now open-vm-tools || systemctl enable --now vmtoolsd`,
          }
        : { remedy: `Start VM ${vm.name}:`, commands: [`govc vm.power -on ${govcVm(vm)}`] }),
    };
    return spec.cpi ? fail(object, problem) : warn(object, problem);
  }),
};

export const vmSnapshotCheck: Check = {
  id: 'node/vm-snapshot',
  title: 'No node VM has snapshots.',
  meaning: 'While a VM has a snapshot, for example from a backup program, no volume can be detached from it.',
  remedy:
    'Exclude node VMs from snapshot-based backups: nodes can be recreated. Then remove all snapshots of the VM, which keeps its current state: `govc snapshot.remove -vm VM "*"`.',
  action: 'None',
  judge: perVm((vm, facts, { spec }) => {
    const object = nodeObject(facts);
    if (!spec.csi) return skipped(object, 'spec.csi is not set');
    if (vm.snapshots.length > 0)
      return warn(object, {
        reason: 'VmHasSnapshot',
        message: `VM ${vm.name} has the snapshots ${vm.snapshots.slice(0, 5).join(', ')}: volumes cannot be detached from it`,
        remedy: `Exclude node VMs from snapshot-based backups, and remove all snapshots of the VM (it keeps its current state):`,
        commands: [`govc snapshot.remove ${govcVm(vm)} '*'`],
      });
    if (vm.consolidationNeeded)
      return warn(object, {
        reason: 'ConsolidationNeeded',
        message: `the disks of VM ${vm.name} need consolidation: a snapshot was not removed completely`,
        remedy: `In the vSphere Client: VM ${vm.name}, Snapshots, Consolidate.`,
      });
    return pass(object, 'its VM has no snapshot');
  }),
};
