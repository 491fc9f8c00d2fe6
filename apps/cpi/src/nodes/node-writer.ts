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

const nodePatch = (node: Node, change: NonNullable<NodeUpdate['node']>) => ({
  metadata: {
    // Taints are a list: it may be replaced only if nobody has changed it meanwhile.
    ...(change.taints ? { resourceVersion: node.metadata.resourceVersion } : {}),
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
  const writeOnce = async (node: Node, update: NodeUpdate, signal: AbortSignal): Promise<void> => {
    const key = { name: node.metadata.name ?? '' };
    if (update.node) await client.patch(nodes, key, { type: 'merge', body: nodePatch(node, update.node) }, { signal });
    // A merge patch replaces the list as a whole; a strategic one would merge addresses by type and lose a dual-stack pair.
    if (update.addresses)
      await client.patch(
        nodes,
        key,
        { type: 'merge', body: { status: { addresses: update.addresses } } },
        { signal, subresource: 'status' },
      );
  };

  return {
    write: (node, decide, { signal }) =>
      retry(
        async (attempt) => {
          const current =
            attempt === 1 ? node : await client.get(nodes, { name: node.metadata.name ?? '' }, { signal });
          const update = decide(current);
          if (update.node || update.addresses) await limited(() => writeOnce(current, update, signal));
          return update;
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
