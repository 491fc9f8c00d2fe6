import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import type { VCenter } from '@vdo/vsphere/vcenter';
import type { VolumeKind } from '../driver.ts';
import type { Segments } from './segments.ts';

export interface PlacementRequest {
  readonly datastoreUrl?: string;
  readonly datastoreName?: string;
  /** File shares live on vSAN only. Default `block`. */
  readonly kind?: VolumeKind;
  /** Acceptable places, preferred first; empty: reachable from every node. */
  readonly topologies: readonly Segments[];
}

/** Where a volume can be created. */
export interface PlacementChoice {
  readonly vcenter: VCenter;
  /** Candidates; vCenter takes one of them. At least one. */
  readonly datastores: readonly DatastoreFacts[];
  readonly topology?: Segments;
}

export interface Placer {
  /** The best place, or VdoError VolumeNoDatastore that says who lacks what. */
  place(request: PlacementRequest, options: { readonly signal: AbortSignal }): Promise<PlacementChoice>;
  /** Forget what was read: a datastore turned out to be different. */
  invalidate(): void;
}
