import type { MoRef } from '../wire/moref.ts';
import type { Ancestor, Ancestors } from './ancestors.ts';

/** A host that runs a node VM. */
export interface HostFacts {
  readonly server: string;
  readonly ref: MoRef;
  readonly name: string;
  /** The cluster or, for a standalone host, its compute resource. */
  readonly parent: MoRef | undefined;
  readonly connection: 'connected' | 'notResponding' | 'disconnected' | 'unknown';
  readonly maintenance: boolean;
  /** The datastores that it mounts. */
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
  /** Hosts that can write to it, including those without nodes. */
  readonly writableHosts: readonly MoRef[];
}

export type PlaceChange =
  | { readonly kind: 'host'; readonly before: HostFacts; readonly after: HostFacts }
  | { readonly kind: 'datastore'; readonly before: MountedDatastore; readonly after: MountedDatastore }
  /** A folder, pool, cluster or datacenter was renamed or moved. */
  | { readonly kind: 'ancestor'; readonly before: Ancestor; readonly after: Ancestor };

/**
 * Where node VMs run. Kept up to date by the watch of the node inventory while that runs, without calls of its own.
 * Objects that the user may not read are absent.
 */
export interface NodePlaces {
  host(ref: MoRef): HostFacts | undefined;
  datastore(ref: MoRef): MountedDatastore | undefined;
  hosts(): readonly HostFacts[];
  datastores(): readonly MountedDatastore[];
  /** A folder, pool, cluster or datacenter above a node VM or its host. */
  ancestor(ref: MoRef): Ancestor | undefined;
  /** These objects and all their ancestors; undefined unless the watch is up to date and knows all of them up to the root. */
  ancestors(starts: readonly MoRef[]): Ancestors | undefined;
  /** Reports changes of known objects; objects that are added or removed because VMs move are not reported. */
  onChange(listener: (change: PlaceChange) => void): () => void;
}
