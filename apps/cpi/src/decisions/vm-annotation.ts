import type { Node } from '@vdo/kube/types/core';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';

/** Where a node's VM was last seen. A VM can be proven gone only by its reference, also after a restart of the program. */
const vmAnnotationKey = 'vdo.vmware.com/vm';

/** The last known place of a node's VM. */
export interface KnownVm {
  readonly server: string;
  readonly ref: MoRef;
  readonly folder: MoRef | undefined;
}

/** Reads it back; undefined when it is missing or not in this form. */
export const knownVm = (node: Node): KnownVm | undefined => {
  const [server, vm, folder, ...rest] = (node.metadata.annotations?.[vmAnnotationKey] ?? '').split('/');
  if (!server || !vm || rest.length > 0) return undefined;
  return { server, ref: moref('VirtualMachine', vm), folder: folder ? moref('Folder', folder) : undefined };
};

/**
 * The annotation as it should be: `<server>/<VM>[/<folder>]`. A folder that the user may no longer read stays: the proof
 * that a VM is gone needs it.
 */
export const vmAnnotation = (
  node: Node,
  vm: Pick<VmFacts, 'server' | 'ref' | 'folder'>,
): Readonly<Record<string, string>> => {
  const before = knownVm(node);
  const isSame = before?.server === vm.server && before.ref.value === vm.ref.value;
  const folder = vm.folder ?? (isSame ? before.folder : undefined);
  return { [vmAnnotationKey]: [vm.server, vm.ref.value, ...(folder ? [folder.value] : [])].join('/') };
};
