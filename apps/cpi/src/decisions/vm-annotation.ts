import type { Node } from '@vdo/kube/types/core';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';

/** Where a node's VM was last seen. Only its managed object reference can prove that a VM is gone, also after a restart of the program. */
const vmAnnotationKey = 'vdo.vmware.com/vm';

/** The last known location of a node's VM. */
export interface KnownVm {
  readonly server: string;
  readonly ref: MoRef;
  /** Or the vApp that the VM was in. */
  readonly folder: MoRef | undefined;
  /** The instanceUuid of the vCenter, because a reference is valid in one vCenter only. Undefined if an earlier release wrote the annotation. */
  readonly vcenter: string | undefined;
}

/** Parses the annotation; undefined if it is missing or malformed. */
export const knownVm = (node: Node): KnownVm | undefined => {
  const [server, vm, folder, vcenter, ...rest] = (node.metadata.annotations?.[vmAnnotationKey] ?? '').split('/');
  if (!server || !vm || rest.length > 0) return undefined;
  return {
    server,
    ref: moref('VirtualMachine', vm),
    folder: folder ? moref(folder.startsWith('resgroup-') ? 'VirtualApp' : 'Folder', folder) : undefined,
    vcenter: vcenter || undefined,
  };
};

/**
 * The annotation as it should be: `<server>/<VM>[/<folder>[/<instanceUuid of vCenter>]]`. A folder that the user may no longer read
 * is kept, because the proof that a VM is gone needs it.
 */
export const vmAnnotation = (
  node: Node,
  vm: Pick<VmFacts, 'server' | 'ref' | 'folder'> & Partial<Pick<VmFacts, 'resourcePool'>>,
  vcenter?: string,
): Readonly<Record<string, string>> => {
  const before = knownVm(node);
  const isSame = before?.server === vm.server && before.ref.value === vm.ref.value;
  // A VM in a vApp has no folder.
  const vApp = vm.resourcePool?.type === 'VirtualApp' ? vm.resourcePool : undefined;
  const folder = vm.folder ?? vApp ?? (isSame ? before.folder : undefined);
  const instance = vcenter ?? (isSame ? before.vcenter : undefined);
  const place = [folder?.value ?? '', ...(instance ? [instance] : [])];
  return { [vmAnnotationKey]: [vm.server, vm.ref.value, ...(folder || instance ? place : [])].join('/') };
};
