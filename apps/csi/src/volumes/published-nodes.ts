import type { CallContext } from './call-context.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { NodeLocator } from './node-locator.ts';

/** Node IDs by the volume that is published to them; one call per vCenter for any number of volumes. */
export type PublishedNodes = (context: CallContext) => Promise<ReadonlyMap<string, readonly string[]>>;

export const createPublishedNodes =
  (deps: {
    readonly vcenters: readonly CsiVCenter[];
    readonly nodes: NodeLocator;
    /** The nodes of file shares, which vCenter does not know; none by default. */
    readonly ofShares?: () => ReadonlyMap<string, readonly string[]>;
  }): PublishedNodes =>
  async ({ lifetime: signal }) => {
    const { vcenters, nodes } = deps;
    const published = new Map<string, readonly string[]>(deps.ofShares?.() ?? []);
    const all = await nodes.all({ signal });
    await Promise.all(
      vcenters.map(async (vcenter) => {
        const own = all.filter((node) => node.vcenter.server === vcenter.server);
        const disks = await vcenter.disks.of(
          own.map(({ vm }) => vm.ref),
          { signal },
        );
        for (const { vm } of own)
          for (const { volumeId } of disks.get(vm.ref.value) ?? [])
            if (volumeId) published.set(volumeId, [...(published.get(volumeId) ?? []), vm.uuid]);
      }),
    );
    return published;
  };
