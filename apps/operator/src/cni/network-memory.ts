import type { Clock } from '@vdo/base/clock';
import { type CniObservation, findNetwork, networkNodes } from '@vdo/gather/detect-cni';
import type { KubeClient } from '@vdo/kube/client';
import type { Node } from '@vdo/kube/types/core';

/** Searching for every known pod network takes nine calls, and clusters seldom change theirs. */
const rememberMs = 2 * 60_000;

/** Detects the pod network. The name is cached for a while; on which nodes it is ready is read each time. */
export interface NetworkMemory {
  see(nodes: readonly Node[], call: { readonly signal: AbortSignal }): Promise<CniObservation>;
  /** The pod network is being changed: detect it again next time. */
  forget(): void;
}

export const createNetworkMemory = (options: {
  readonly kube: KubeClient;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}): NetworkMemory => {
  const { kube, clock } = options;
  let known: { readonly network: Pick<CniObservation, 'name' | 'version'>; readonly atMs: number } | undefined;
  return {
    see: async (nodes, call) => {
      if (!known || clock.monotonicMs() - known.atMs >= rememberMs)
        known = { network: await findNetwork(kube, call), atMs: clock.monotonicMs() };
      return { ...known.network, ...networkNodes(nodes) };
    },
    forget: () => {
      known = undefined;
    },
  };
};
