import type { Clock } from '@vdo/base/clock';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { createVersionedCache } from '../placement/versioned-cache.ts';
import type { CsiVCenter } from './csi-vcenter.ts';

export interface LocatedNode {
  readonly vcenter: CsiVCenter;
  readonly vm: VmFacts;
}

export interface NodeLocator {
  /** By the node id of CSI: the BIOS UUID; the Go driver also used the node's name. Undefined if no vCenter has such a VM. */
  find(nodeId: string, options: { readonly signal: AbortSignal }): Promise<LocatedNode | undefined>;
  /** True if a node of this cluster certainly has this id. */
  isKnown(nodeId: string): boolean;
  /** Every VM that is a node of this cluster. */
  all(options: { readonly signal: AbortSignal }): Promise<readonly LocatedNode[]>;
  /** Forget what was found: a VM turned out to be gone. */
  invalidate(): void;
}

export interface NodeLocatorDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly datacentersOf: (server: string) => readonly string[];
  /** Node ids (or names) of the cluster now. */
  readonly nodeIds: () => readonly string[];
  readonly clock: Clock;
  /** A VM keeps its reference for as long as it exists. Default 5 min. */
  readonly maxAgeMs?: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds the VMs of nodes, and remembers them. */
export const createNodeLocator = (deps: NodeLocatorDeps): NodeLocator => {
  const { vcenters, datacentersOf, nodeIds, clock, maxAgeMs = 300_000 } = deps;
  const cache = createVersionedCache<LocatedNode | undefined>({ clock, maxAgeMs });

  const lookUp = async (ids: readonly string[], signal: AbortSignal): Promise<readonly (LocatedNode | undefined)[]> => {
    const queries = ids.map((key) => ({ key, ...(uuid.test(key) ? { uuid: key } : { names: [key] }) }));
    const answers = await Promise.allSettled(
      vcenters.map(({ nodes, server }) => nodes.resolve(queries, { datacenters: datacentersOf(server), signal })),
    );
    signal.throwIfAborted();
    return ids.map((id) => {
      for (const [index, vcenter] of vcenters.entries()) {
        const answer = answers[index];
        const found = answer?.status === 'fulfilled' ? answer.value.get(id) : undefined;
        if (found?.state === 'found') return { vcenter, vm: found.vm };
      }
      // A vCenter that does not answer may have it.
      const failure = answers.find((answer) => answer.status === 'rejected');
      if (failure) throw failure.reason;
      return undefined;
    });
  };

  return {
    find: async (nodeId, { signal }) => {
      const found = await cache.get(nodeId, '', async () => (await lookUp([nodeId], signal))[0]);
      // A node that joins later must not be unknown for long.
      if (!found) cache.clear();
      return found;
    },
    isKnown: (nodeId) => nodeIds().some((id) => id.toLowerCase() === nodeId.toLowerCase()),
    all: async ({ signal }) => {
      const located = await lookUp(nodeIds(), signal);
      return located.filter((node) => node !== undefined);
    },
    invalidate: () => cache.clear(),
  };
};
