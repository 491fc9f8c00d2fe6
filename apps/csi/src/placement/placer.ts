import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import type { VCenter } from '@vdo/vsphere/vcenter';
import type { VolumeKind } from '../driver.ts';
import type { Segments } from './segments.ts';

export interface PlacementRequest {
  readonly datastoreUrl?: string;
  readonly datastoreName?: string;
  /** `block` by default. File shares can only be stored on vSAN. */
  readonly kind?: VolumeKind;
  /** Acceptable topology segments, preferred ones first; empty: accessible from every node. */
  readonly topologies: readonly Segments[];
}

/** The location for a new volume. */
export interface PlacementChoice {
  readonly vcenter: VCenter;
  /** Candidates, at least one; vCenter chooses one of them. */
  readonly datastores: readonly DatastoreFacts[];
  readonly topology?: Segments;
  /** Those of the datastores that a tag prefers in the topology segment, by MoRef value. Absent without topology. */
  readonly preferred?: ReadonlySet<string>;
}

export interface Placer {
  /** The best location. Throws VdoError VolumeNoDatastore, which lists what each node lacks. */
  place(request: PlacementRequest, options: { readonly signal: AbortSignal }): Promise<PlacementChoice>;
  /** Clears the cache, because a datastore turned out to be different. */
  invalidate(): void;
}
