import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { createVersionedCache } from '../placement/versioned-cache.ts';
import type { CsiVCenter } from './csi-vcenter.ts';

export interface LocatedNode {
  readonly vcenter: CsiVCenter;
  readonly vm: VmFacts;
}

export interface NodeLocator {
  /**
   * Finds a VM by the CSI node ID, which is the BIOS UUID; the Go driver also used the node's name. Undefined if no vCenter has such a VM;
   * throws if several VMs match. `isFresh` reads from vCenter even if the VM is cached.
   */
  find(
    nodeId: string,
    options: { readonly signal: AbortSignal; readonly isFresh?: boolean },
  ): Promise<LocatedNode | undefined>;
  /** True if a node of this cluster certainly has this ID. */
  isKnown(nodeId: string): boolean;
  /** All VMs that are nodes of this cluster. Nodes with several matching VMs are omitted, or, with `isComplete`, an error. */
  all(options: { readonly signal: AbortSignal; readonly isComplete?: boolean }): Promise<readonly LocatedNode[]>;
  /** Clears the cache, because a VM no longer exists. */
  invalidate(): void;
}

export interface NodeLocatorDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly datacentersOf: (server: string) => readonly string[];
  /** The present node IDs (or names) of the cluster. */
  readonly nodeIds: () => readonly string[];
  readonly clock: Clock;
  /** How long a result is cached; 5 min by default. A VM keeps its managed object reference while it is registered. */
  readonly maxAgeMs?: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ambiguous = (nodeId: string, candidates: readonly string[]): VdoError =>
  new VdoError({
    code: 'NodeVmAmbiguous',
    message: `several VMs have the ID ${nodeId} of a node: ${candidates.join(', ')}`,
    remedy:
      'The driver retries automatically. A clone or replica has the same identity as its original. Give it its own UUID (govc vm.change -vm <clone> -uuid $(uuidgen)), or remove it from the inventory.',
    // vCenter does not notify the drivers when the other VM is deleted, so this is retried.
    retry: 'backoff',
  });

/** Finds the VMs of nodes, and caches them. */
export const createNodeLocator = (deps: NodeLocatorDeps): NodeLocator => {
  const { vcenters, datacentersOf, nodeIds, clock, maxAgeMs = 300_000 } = deps;
  const cache = createVersionedCache<LocatedNode | undefined>({ clock, maxAgeMs });

  const lookUp = async (
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (LocatedNode | VdoError | undefined)[]> => {
    const queries = ids.map((key) => ({ key, ...(uuid.test(key) ? { uuid: key } : { names: [key] }) }));
    const answers = await Promise.allSettled(
      vcenters.map(({ nodes, server }) => nodes.resolve(queries, { datacenters: datacentersOf(server), signal })),
    );
    signal.throwIfAborted();
    // A vCenter that does not answer may have the VM.
    const failure = answers.find((answer) => answer.status === 'rejected');
    return ids.map((id) => {
      const found = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.get(id) : undefined));
      const located = vcenters.flatMap((vcenter, index) => {
        const one = found[index];
        return one?.state === 'found' ? [{ vcenter, vm: one.vm }] : [];
      });
      const candidates = found.flatMap((one) => (one?.state === 'ambiguous' ? one.candidates : []));
      if (candidates.length > 0 || located.length > 1)
        return ambiguous(id, [...candidates, ...located.map(({ vm }) => `${vm.name} on ${vm.server}`)]);
      if (located.length === 0 && failure) throw failure.reason;
      return located[0];
    });
  };

  const lookUpOne = async (nodeId: string, signal: AbortSignal): Promise<LocatedNode | undefined> => {
    const [found] = await lookUp([nodeId], signal);
    if (found instanceof VdoError) throw found;
    return found;
  };

  return {
    find: async (nodeId, { signal, isFresh = false }) => {
      if (isFresh) cache.clear();
      const found = await cache.get(nodeId, '', () => lookUpOne(nodeId, signal));
      // A node that joins later must be found soon.
      if (!found) cache.clear();
      return found;
    },
    isKnown: (nodeId) => nodeIds().some((id) => id.toLowerCase() === nodeId.toLowerCase()),
    all: async ({ signal, isComplete = false }) => {
      const located = await lookUp(nodeIds(), signal);
      return located.flatMap((node) => {
        if (!(node instanceof VdoError)) return node ? [node] : [];
        if (isComplete) throw node;
        return [];
      });
    },
    invalidate: () => cache.clear(),
  };
};
