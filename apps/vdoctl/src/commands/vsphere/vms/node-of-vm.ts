import { sameUuid } from '@vdo/base/uuid';
import { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';

const uuidOf = ({ status, spec }: Node): string | undefined =>
  status?.nodeInfo?.systemUUID ?? /^vsphere:\/\/(.+)$/.exec(spec.providerID ?? '')?.[1];

const shortName = (name: string): string => (name.split('.')[0] ?? '').toLowerCase();

/** The Node of a VM. For a running VM it must be found: without its Node, it cannot be drained. */
export const nodeOfVm = (vm: VmHealth, nodes: readonly Node[], server: string): string => {
  const name = ({ metadata }: Node): string => metadata.name ?? '';
  const ofUuid = nodes.find((node) => {
    const uuid = uuidOf(node);
    return uuid !== undefined && sameUuid(vm.uuid, uuid);
  });
  const names = [vm.name, vm.hostName ?? ''].map(shortName).filter((one) => one !== '');
  const found = ofUuid ?? nodes.find((node) => uuidOf(node) === undefined && names.includes(shortName(name(node))));
  if (found) return name(found);
  throw new VdoError({
    code: 'InvalidArgument',
    message: `VM ${vm.name} is running and is not a node of ${server}, so it cannot be drained before the shutdown`,
    remedy: 'Select its cluster with --kubeconfig and --context. If it is not a node of any cluster, add --no-drain.',
  });
};
