import { VdoError } from '@vdo/base/vdo-error';
import { nodes } from '@vdo/kube/types/core';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import type { CliContext } from '../../../cli/context.ts';
import type { ClusterFlags } from '../../../cli/options.ts';
import { withCluster } from '../../../shared/cluster/open-cluster.ts';
import { findByPath } from '../../../shared/vsphere/inventory.ts';

export interface VmFlags extends ClusterFlags {
  readonly vmFolder: readonly string[];
}

type Reader = Pick<FullVCenter, 'inventory' | 'health' | 'nodes' | 'server'>;

const inFolders = async ({ inventory, health }: Reader, paths: readonly string[], signal: AbortSignal) => {
  const tree = await inventory.read(['Folder'], { signal });
  const found = [];
  for (const path of paths) {
    const below = findByPath(tree, path, { types: ['Folder'], flag: '--vm-folder' });
    const objects = await inventory.read(['VirtualMachine'], { below, signal });
    found.push(...[...objects.values()].map(({ ref }) => ref).filter(({ type }) => type === 'VirtualMachine'));
  }
  return health.vms(found, { signal });
};

const ofNodes = (context: CliContext, flags: VmFlags, { nodes: inventory, health }: Reader) =>
  withCluster(context, flags, async ({ kube }) => {
    const { signal } = context;
    const { items } = await kube.list(nodes, { signal });
    const queries = items.map(({ metadata: { name = '' }, status, spec }) => {
      const uuid = status?.nodeInfo?.systemUUID ?? /^vsphere:\/\/(.+)$/.exec(spec.providerID ?? '')?.[1];
      return { key: name, names: [name], ...(uuid === undefined ? {} : { uuid }) };
    });
    const answers = [...(await inventory.resolve(queries, { signal })).values()];
    const refs = answers.flatMap((answer) => (answer.state === 'found' ? [answer.vm.ref] : []));
    return health.vms(refs, { signal });
  });

/** The VMs of the folders, or of the cluster nodes; limited to the given names, if any. */
export const findVms = async (
  context: CliContext,
  flags: VmFlags,
  reader: Reader,
  names: readonly string[],
): Promise<readonly VmHealth[]> => {
  const found = await (flags.vmFolder.length > 0
    ? inFolders(reader, flags.vmFolder, context.signal)
    : ofNodes(context, flags, reader));
  const all = [...found.values()].toSorted((left, right) =>
    left.name.localeCompare(right.name, 'en', { numeric: true }),
  );
  const unknown = names.find((name) => !all.some((vm) => vm.name === name));
  if (unknown === undefined) return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  throw new VdoError({
    code: 'InvalidArgument',
    message: `VM ${unknown} was not found among ${all.length} VMs on ${reader.server}`,
    remedy: `Use one of ${
      all
        .slice(0, 12)
        .map(({ name }) => name)
        .join(', ') || 'the VMs of another folder, with --vm-folder'
    }.`,
  });
};
