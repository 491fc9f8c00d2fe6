/**
 * Whether this cluster alone acts under the id that its volumes are registered with. A copy of the cluster has the same id, and whatever
 * one of them deletes or detaches may be in use in the other. Like a Lease it is renewed, and runs out.
 */
export interface SoleUse {
  /** Looks again if the last look is not fresh. It never fails: what could not be found out, `assertAlone` tells. */
  renew(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Throws ClusterIdShared if another cluster acts under the id, EvidenceMissing if that is not known. */
  assertAlone(): void;
}

/** For programs whose acts have nothing to do with an id in vCenter: they delete objects of their own API server alone. */
export const withoutClusterId: SoleUse = { renew: async () => {}, assertAlone: () => {} };
