import type { MoRef } from '../wire/moref.ts';

/** A host that runs a node VM. */
export interface HostFacts {
  readonly server: string;
  readonly ref: MoRef;
  readonly name: string;
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
  | { readonly kind: 'datastore'; readonly before: MountedDatastore; readonly after: MountedDatastore };

/**
 * Where node VMs run, kept current by the watch of the node inventory while that runs, and without calls of its own.
 * What the user may not read is absent.
 */
export interface NodePlaces {
  host(ref: MoRef): HostFacts | undefined;
  datastore(ref: MoRef): MountedDatastore | undefined;
  hosts(): readonly HostFacts[];
  datastores(): readonly MountedDatastore[];
  /** Tells changes of what was known before; what enters or leaves because VMs move is not told. */
  onChange(listener: (change: PlaceChange) => void): () => void;
}
