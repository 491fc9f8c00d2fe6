/** An id for each distribution that has one. */
export interface IdByDistribution {
  readonly native?: string;
  readonly upstream?: string;
}

/** Ids by which vCenter may know the volumes of this cluster. */
export interface KeptClusterIds extends IdByDistribution {
  /** The UID of the namespace kube-system: the id of a cluster that has none yet. It outlives every namespace of the drivers. */
  readonly ofCluster?: string;
  /** In the configuration that a driver has now, by this operator or, of an upstream driver, by whoever installed it. */
  readonly given?: IdByDistribution;
}
