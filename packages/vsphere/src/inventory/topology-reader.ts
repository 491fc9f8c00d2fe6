import type { VmFacts } from './node-inventory.ts';

/** Tag categories to search for, e.g. `{ region: 'k8s-region', zone: 'k8s-zone' }`. */
export type TopologyCategories = Readonly<Record<string, string>>;

/** Reads the topology of VMs from the tags of their ancestors: the nearest ancestor is used, per category. */
export interface TopologyReader {
  /** For each VM (by MoRef value) the tag found per key; a missing one is absent. */
  locate(
    vms: readonly VmFacts[],
    categories: TopologyCategories,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>;
}
