import type { VmDisk } from '@vdo/vsphere/vms/vm-disks';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { LocatedNode, NodeLocator } from './node-locator.ts';

/** The disks of node VMs, as vCenter has them now. */
export interface NodeDisks {
  /** Undefined if the VM no longer exists. */
  of(node: LocatedNode, signal: AbortSignal): Promise<readonly VmDisk[] | undefined>;
  on(node: LocatedNode, volumeId: string, signal: AbortSignal): Promise<VmDisk | undefined>;
  /** The node to which a volume is attached. With `isComplete`, a node with several matching VMs is an error. */
  holderOf(
    volumeId: string,
    options: { readonly signal: AbortSignal; readonly isComplete?: boolean },
  ): Promise<LocatedNode | undefined>;
}

export const createNodeDisks = (deps: {
  readonly vcenters: readonly CsiVCenter[];
  readonly nodes: NodeLocator;
}): NodeDisks => {
  const { vcenters, nodes } = deps;
  const of: NodeDisks['of'] = async ({ vcenter, vm }, signal) =>
    (await vcenter.disks.of([vm.ref], { signal })).get(vm.ref.value);
  return {
    of,
    on: async (node, volumeId, signal) => (await of(node, signal))?.find((disk) => disk.volumeId === volumeId),
    holderOf: async (volumeId, options) => {
      const { signal } = options;
      const all = await nodes.all(options);
      for (const vcenter of vcenters) {
        const own = all.filter((node) => node.vcenter.server === vcenter.server);
        const disks = await vcenter.disks.of(
          own.map(({ vm }) => vm.ref),
          { signal },
        );
        const holder = own.find(({ vm }) => disks.get(vm.ref.value)?.some((disk) => disk.volumeId === volumeId));
        if (holder) return holder;
      }
      return undefined;
    },
  };
};
