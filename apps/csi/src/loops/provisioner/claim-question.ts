import type { ClusterInformers } from '../cluster-informers.ts';
import { annotations, decideTopology, storageClassNameOf } from './claims.ts';

export interface ClaimQuestionDeps {
  readonly informers: Pick<ClusterInformers, 'claims' | 'classes' | 'nodes' | 'csiNodes'>;
  readonly topology: boolean;
  /** Changes with what is not asked here, but may change the answer: nodes, free space. */
  readonly surroundings: () => number;
}

/**
 * What a claim asks of vCenter: its own spec, that of its class, and where. The scheduler's selection counts only by its topology segment:
 * after a failure the selection is removed, and another node of the same segment, or the same one again, would fail for the same reason.
 * Undefined if the claim asks nothing any more.
 */
export const createClaimQuestion =
  ({ informers, topology, surroundings }: ClaimQuestionDeps) =>
  (key: string): string | undefined => {
    const claim = informers.claims.get(key);
    if (!claim || claim.spec.volumeName || claim.metadata.deletionTimestamp) return undefined;
    const { name = '', uid, labels, annotations: noted = {} } = claim.metadata;
    const { [annotations.selectedNode]: selectedNode, ...others } = noted;
    const storageClass = informers.classes.get(storageClassNameOf(claim));

    const where = (): unknown => {
      if (!topology) return 'anywhere';
      if (!storageClass) return undefined;
      const [nodes, csiNodes] = [informers.nodes.list(), informers.csiNodes.list()];
      const selection = selectedNode === undefined ? {} : { selectedNode };
      try {
        return decideTopology({ claimName: name, storageClass, ...selection, nodes, csiNodes });
      } catch {
        // The segment of the node is not known, or the class does not allow it.
        return selectedNode;
      }
    };
    const isSelected = selectedNode !== undefined;
    const { metadata, parameters, allowedTopologies } = storageClass ?? {};
    const ofClass = [metadata?.uid, metadata?.resourceVersion, parameters, allowedTopologies];
    return JSON.stringify([uid, labels, others, claim.spec, ofClass, isSelected, where(), surroundings()]);
  };
