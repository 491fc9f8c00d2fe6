/**
 * Whether only this cluster uses the ID under which its volumes are registered. A copy of the cluster has the same ID, and a volume that one of
 * them deletes or detaches may be in use in the other. Like a Lease, the result is renewed and expires.
 */
export interface SoleUse {
  /** Checks again if the last check is too old. Never fails: problems are reported by `assertAlone`. */
  renew(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Throws ClusterIdShared if another cluster uses the ID, EvidenceMissing if this is not known. */
  assertAlone(): void;
}

/** For programs whose acts do not depend on an ID in vCenter: they only delete objects of their own API server. */
export const withoutClusterId: SoleUse = { renew: async () => {}, assertAlone: () => {} };
