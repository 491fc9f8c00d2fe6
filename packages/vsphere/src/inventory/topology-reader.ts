import type { VmFacts } from './node-inventory.ts';

/** Tag categories to look for, e.g. `{ region: 'k8s-region', zone: 'k8s-zone' }`. */
export type TopologyCategories = Readonly<Record<string, string>>;

/** Reads where VMs are by the tags of their ancestors: nearest ancestor wins, per category. */
export interface TopologyReader {
  /** For each VM (by MoRef value) the tag found per key; a missing one is absent. */
  locate(
    vms: readonly VmFacts[],
    categories: TopologyCategories,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>;
}
