/** A cluster of vCenter: its managed object ID and its inventory path, such as `/DC/host/C1`. */
export interface ClusterNames {
  readonly ref: { readonly value: string };
  readonly path: string;
}

/** True if one of the names, inventory paths or IDs is that of the cluster. */
export const isNamedCluster = ({ ref, path }: ClusterNames, wanted: readonly string[]): boolean =>
  wanted.some((name) => name === ref.value || name === path || name === path.slice(path.lastIndexOf('/') + 1));
