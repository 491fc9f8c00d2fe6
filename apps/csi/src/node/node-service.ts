import type { Node } from '../gen/csi-pb.ts';
import type { ServiceHandlers } from '../rpc/service-handlers.ts';

/** Disks that fit a VM besides its own: four controllers of 15 devices, less the boot disk. */
export const defaultMaxVolumes = 59;

export interface NodeServiceDeps {
  /** BIOS UUID of the VM. */
  readonly nodeUuid: () => Promise<string>;
  /** Where the node is; undefined if the driver has no topology. */
  readonly topology?: () => Promise<Readonly<Record<string, string>>>;
  /** Default 59. */
  readonly maxVolumes?: number;
}

/** The node's part of CSI. */
export const createNodeService = (deps: NodeServiceDeps): ServiceHandlers<typeof Node> => ({
  nodeGetInfo: async () => ({
    nodeId: await deps.nodeUuid(),
    maxVolumesPerNode: BigInt(deps.maxVolumes ?? defaultMaxVolumes),
    ...(deps.topology ? { accessibleTopology: { segments: await deps.topology() } } : {}),
  }),
  nodeGetCapabilities: async () => ({ capabilities: [] }),
});
