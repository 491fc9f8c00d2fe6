import type { CheckGroup } from '../check.ts';
import type { ClusterFacts } from '../facts.ts';
import type { GatherDeps } from './gather-deps.ts';

export interface GatherScope {
  /** Facts of other groups are left out. */
  readonly groups: readonly CheckGroup[];
}

/**
 * Looks at the cluster and its vCenters, with as few calls as the groups need. Never throws but for cancellation: what
 * could not be read is a reading with its error, and one vCenter that fails leaves the others alone.
 */
export type GatherFacts = (
  deps: GatherDeps,
  scope: GatherScope,
  options: { readonly signal: AbortSignal },
) => Promise<ClusterFacts>;
