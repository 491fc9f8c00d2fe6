import { createLimit } from '@vdo/base/async/limit';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { retry } from '@vdo/base/retry';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes } from '@vdo/kube/types/core';
import type { NodeUpdate } from '../decisions/node-update.ts';

export interface NodeWriterOptions {
  readonly client: Pick<KubeClient, 'get' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Nodes written at once. */
  readonly concurrency: number;
}

/** Writes decisions to Nodes. */
export interface NodeWriter {
  /**
   * Decides and writes; on a conflict reads the node anew and decides again. Returns the decision that was written.
   * `decide` must be pure.
   */
  write(node: Node, decide: (node: Node) => NodeUpdate, options: { readonly signal: AbortSignal }): Promise<NodeUpdate>;
}

/** Taints are a list: it may be replaced only if nobody has changed the node meanwhile, or made it anew. */
const guard = ({ metadata: { resourceVersion } }: Node, change: NodeUpdate['node']) =>
  change?.taints ? { metadata: { resourceVersion } } : {};

const nodePatch = (node: Node, change: NonNullable<NodeUpdate['node']>) => ({
  metadata: {
    ...guard(node, change).metadata,
    ...(change.labels ? { labels: change.labels } : {}),
    ...(change.annotations ? { annotations: change.annotations } : {}),
  },
  ...(change.taints || change.providerID
    ? {
        spec: {
          ...(change.providerID ? { providerID: change.providerID } : {}),
          ...(change.taints ? { taints: change.taints } : {}),
        },
      }
    : {}),
});

export const createNodeWriter = ({ client, clock, random, concurrency }: NodeWriterOptions): NodeWriter => {
  const limited = createLimit(concurrency);
  /** Gives back the node as it then is. */
  const writeAddresses = (node: Node, { addresses, node: change }: NodeUpdate, signal: AbortSignal): Promise<Node> =>
    client.patch(
      nodes,
      { name: node.metadata.name ?? '' },
      {
        // A merge patch replaces the list as a whole; a strategic one would merge addresses by type and lose a dual-stack pair.
        type: 'merge',
        body: { ...guard(node, change), status: { addresses } },
      },
      { signal, subresource: 'status' },
    );
  // Addresses come first: whoever sees a node without the taint takes it for finished, addresses and all.
  const writeOnce = async (
    node: Node,
    decide: (node: Node) => NodeUpdate,
    signal: AbortSignal,
  ): Promise<NodeUpdate> => {
    const first = decide(node);
    const current = first.addresses ? await writeAddresses(node, first, signal) : node;
    const update = first.addresses ? { ...decide(current), addresses: first.addresses } : first;
    if (update.node) {
      const body = nodePatch(current, update.node);
      await client.patch(nodes, { name: node.metadata.name ?? '' }, { type: 'merge', body }, { signal });
    }
    return update;
  };

  return {
    write: (node, decide, { signal }) =>
      retry(
        async (attempt) => {
          const current =
            attempt === 1 ? node : await client.get(nodes, { name: node.metadata.name ?? '' }, { signal });
          const update = decide(current);
          return update.node || update.addresses ? limited(() => writeOnce(current, decide, signal)) : update;
        },
        {
          clock,
          random,
          signal,
          attempts: 8,
          initialMs: 50,
          maxMs: 1000,
          retryable: (error) => isVdoError(error, 'KubeConflict'),
        },
      ),
  };
};
