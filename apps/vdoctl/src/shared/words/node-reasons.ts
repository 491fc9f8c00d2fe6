import type { CheckReason } from './check-reason.ts';

/** Reasons of the checks about nodes, their VMs and topology. */
export const nodeReasons: Readonly<Record<string, CheckReason>> = {
  CniNotReady: {
    checks: ['cluster/cni-ready'],
    meaning: 'The pod network of a node is not ready. Pods that do not use the host network do not start on it.',
    remedy: 'Install a CNI (with spec.cni.manifest the operator installs it), or check the CNI pod on the node.',
  },
  NodeIpNotOnVm: {
    checks: ['node/addresses'],
    meaning: 'The internal IP address of the Node is not an address of its VM, so that another machine may be reached.',
    remedy:
      'Correct --node-ip of the kubelet if it is set. Otherwise set spec.cpi.addresses.internal.subnets to the network of the nodes.',
  },
  HostTooOld: {
    checks: ['node/esxi-version'],
    meaning: 'An ESXi host that runs nodes is older than the drivers support, and disks are attached by the hosts.',
    remedy: 'Upgrade the host, or move its nodes to a newer one: govc vm.migrate -host HOST VM.',
  },
  UuidDuplicate: {
    checks: ['node/uuid-duplicate'],
    meaning: 'Two machines have the same BIOS UUID, for example because a VM was cloned with its UUID.',
    remedy:
      'Drain one of the nodes, shut its VM down and give it a new UUID: govc vm.change -vm VM -uuid $(uuidgen). Then delete its Node and start the VM: the node registers again.',
  },
  UuidMismatch: {
    checks: ['node/uuid-match'],
    meaning:
      'The Node reports another BIOS UUID than its VM has: the VM was found only by its name, so that it may be the wrong one.',
    remedy:
      'If it is the right VM, restart it, so that the guest reads the UUID again. Otherwise correct the host name of the node or the name of the VM.',
  },
  VmOutsideDatacenters: {
    checks: ['node/vm-moved'],
    meaning: 'The VM of a node is in a datacenter that the drivers do not search.',
    remedy: 'Add the datacenter to spec.vcenters[].datacenters, or move the VM back.',
  },
  ProviderIdMismatch: {
    checks: ['node/provider-id'],
    meaning: 'The provider ID of a Node refers to another VM than the one that runs the node: the VM was recreated.',
    remedy: 'Drain the node, delete the Node object and restart its kubelet: the node registers again.',
  },
  ProviderIdMissing: {
    checks: ['node/provider-id'],
    meaning:
      'A Node has neither a provider ID nor the uninitialized taint, so that no cloud controller manager initializes it.',
    remedy:
      'Start its kubelet with --cloud-provider=external. Then drain the node, delete the Node object and restart the kubelet.',
  },
  UninitializedTaintStuck: {
    checks: ['node/taint-stuck'],
    meaning: 'A node has waited longer than five minutes to be initialized. Only a few system pods run on it.',
    remedy: 'The events of the Node and the check node/vm-found show why its VM was not found.',
    commands: ['kubectl describe node NODE', 'vdoctl doctor --only node/taint-stuck,node/vm-found'],
  },
  VmHasSnapshot: {
    checks: ['node/vm-snapshot'],
    meaning: 'A node VM has a snapshot. Until it is removed, no volume can be detached from the VM.',
    remedy:
      'Remove the snapshots (the VM keeps its current state), and exclude node VMs from snapshot-based backups: govc snapshot.remove -vm VM "*".',
  },
  ConsolidationNeeded: {
    checks: ['node/vm-snapshot'],
    meaning: 'A snapshot of a node VM was not removed completely: its disks still consist of several files.',
    remedy: 'Consolidate the disks of the VM in the vSphere Client: Snapshots, Consolidate.',
  },
  DiskUuidDisabled: {
    checks: ['node/disk-enable-uuid'],
    meaning: 'disk.EnableUUID of a node VM is not TRUE. The node cannot find attached disks.',
    remedy: 'Set it while the VM is off. vdoctl does so for one node after the other, and drains each of them first.',
    commands: ['vdoctl vsphere vms prepare VM --power-cycle'],
  },
  HardwareTooOld: {
    checks: ['node/hardware-version'],
    meaning: 'The virtual hardware of a node VM is older than version 15 and does not support volumes.',
    remedy:
      'Upgrade it while the VM is off. vdoctl does so for one node after the other, and drains each of them first.',
    commands: ['vdoctl vsphere vms prepare VM --power-cycle'],
  },
  NoDiskSlots: {
    checks: ['node/disk-slots'],
    meaning: 'All slots of the SCSI controllers of a node VM are in use. No more volumes can be attached to the node.',
    remedy:
      'Add a paravirtual controller if the VM has fewer than four: govc device.scsi.add -vm VM -type pvscsi. Otherwise add nodes, or move pods to other nodes.',
  },
  FewDiskSlots: {
    checks: ['node/disk-slots'],
    meaning: 'At most three slots of the SCSI controllers of a node VM are free.',
    remedy: 'Add a paravirtual controller if the VM has fewer than four: govc device.scsi.add -vm VM -type pvscsi.',
  },
  NoParavirtualController: {
    checks: ['node/disk-slots'],
    meaning: 'A node VM has no paravirtual SCSI controller, on which volumes are attached.',
    remedy: 'Add one: govc device.scsi.add -vm VM -type pvscsi.',
  },
  ToolsNotRunning: {
    checks: ['node/tools-running'],
    meaning:
      'VMware Tools are not running on a node. vCenter knows neither its IP addresses nor its host name, so that a new node is not initialized.',
    remedy:
      'If the VM is off, start it. Otherwise install and start VMware Tools on the node: apt-get install open-vm-tools (or dnf install), then systemctl enable --now open-vm-tools (or vmtoolsd).',
  },
  KubeletSkew: {
    checks: ['versions/kubelet-skew'],
    meaning: 'A kubelet is newer than the API server, or older than Kubernetes supports with this API server.',
    remedy: 'Upgrade the kubelet of the node, or the API server if the kubelet is newer.',
  },
  NotRegistered: {
    checks: ['csi/node-registered'],
    meaning:
      'The storage driver is not registered with the kubelet of a node. Pods with volumes are not scheduled on it.',
    remedy:
      'Check the driver pod on the node. If the kubelet uses another folder, set spec.advanced.kubeletPath in the VSphereDrivers resource.',
  },
  TopologyKeysMissing: {
    checks: ['csi/topology-keys'],
    meaning:
      'The storage driver has registered a node without the topology keys. Pods with zonal volumes are not scheduled on it.',
    remedy: 'Correct the topology labels of the node (see topology/labels-match), then restart the driver pod on it.',
  },
  CategoryMissing: {
    checks: ['topology/categories-exist'],
    meaning: 'A vCenter does not have a tag category that spec.topology uses.',
    remedy:
      'Create it (govc tags.category.create -t Datacenter -t ClusterComputeResource -t HostSystem NAME), or correct spec.topology.',
  },
  TagMissing: {
    checks: ['topology/tags-in-ancestry'],
    meaning:
      'No object above a node VM has a tag of a topology category. The node has no zone and gets no zonal volumes.',
    remedy: 'Attach a tag to the host, cluster or datacenter: govc tags.attach -c CATEGORY TAG PATH.',
  },
  TagAmbiguous: {
    checks: ['topology/tags-in-ancestry'],
    meaning:
      'The objects above a node VM have several tags of one category, so that the zone of the node is ambiguous.',
    remedy: 'Keep one of the tags, and detach the others: govc tags.detach -c CATEGORY TAG PATH.',
  },
  LabelsMissing: {
    checks: ['topology/labels-match'],
    meaning: 'A Node does not have the topology labels that the tags above its VM require.',
    remedy:
      'The cloud controller manager sets them on nodes that it initializes. On a Node that never had them, set them with the command in the status.',
  },
  LabelsDiffer: {
    checks: ['topology/labels-match'],
    meaning:
      'The topology labels of a Node differ from the tags above its VM: the VM was moved, or its tags were changed. Volumes of the labelled zone cannot be attached to it.',
    remedy: 'Move the VM back, or drain the node first and then give it the labels that match, as the status shows.',
  },
};
