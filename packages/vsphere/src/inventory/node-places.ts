import type { MoRef } from '../wire/moref.ts';
import type { Ancestor, Ancestors } from './ancestors.ts';

/** A host that runs a node VM. */
export interface HostFacts {
  readonly server: string;
  readonly ref: MoRef;
  readonly name: string;
  /** The cluster or, of a host alone, its compute resource. */
  readonly parent: MoRef | undefined;
  readonly connection: 'connected' | 'notResponding' | 'disconnected' | 'unknown';
  readonly maintenance: boolean;
  /** That it mounts. */
  readonly datastores: readonly MoRef[];
}

/** A datastore that the host of a node VM mounts. Space is not watched: it changes all the time. */
export interface MountedDatastore {
  readonly server: string;
  readonly ref: MoRef;
  readonly name: string;
  readonly url: string;
  readonly type: string;
  readonly accessible: boolean;
  readonly maintenance: boolean;
  /** Hosts that can write to it, those without nodes too. */
  readonly writableHosts: readonly MoRef[];
}

export type PlaceChange =
  | { readonly kind: 'host'; readonly before: HostFacts; readonly after: HostFacts }
  | { readonly kind: 'datastore'; readonly before: MountedDatastore; readonly after: MountedDatastore }
  /** A folder, pool, cluster or datacenter was renamed or moved. */
  | { readonly kind: 'ancestor'; readonly before: Ancestor; readonly after: Ancestor };

/**
 * Where node VMs run, kept current by the watch of the node inventory while that runs, and without calls of its own.
 * What the user may not read is absent.
 */
export interface NodePlaces {
  host(ref: MoRef): HostFacts | undefined;
  datastore(ref: MoRef): MountedDatastore | undefined;
  hosts(): readonly HostFacts[];
  datastores(): readonly MountedDatastore[];
  /** A folder, pool, cluster or datacenter above a node VM or its host. */
  ancestor(ref: MoRef): Ancestor | undefined;
  /** These objects and all above them; undefined unless the watch is up to date and knows every one up to the root. */
  ancestors(starts: readonly MoRef[]): Ancestors | undefined;
  /** Tells changes of what was known before; what enters or leaves because VMs move is not told. */
  onChange(listener: (change: PlaceChange) => void): () => void;
}
