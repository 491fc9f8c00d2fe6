import { createLimit } from '@vdo/base/async/limit';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { retry } from '@vdo/base/retry';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes } from '@vdo/kube/types/core';
import type { NodeUpdate } from '../decisions/node-update.ts';

export interface NodeWriterOptions {
  readonly client: Pick<KubeClient, 'get' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Checked right before each request is sent, because writes can wait in a queue and are retried. */
  readonly fence: Fence;
  /** Number of nodes that are written concurrently. */
  readonly concurrency: number;
}

/** Writes decisions to Nodes. */
export interface NodeWriter {
  /**
   * Decides and writes. On a conflict it reads the Node again and decides again. Returns the decision that was written.
   * `decide` must be pure. Throws EvidenceMissing if the Node was registered again, because the decision was about the old one.
   */
  write(node: Node, decide: (node: Node) => NodeUpdate, options: { readonly signal: AbortSignal }): Promise<NodeUpdate>;
}

/** The UID makes sure that no other Node of the same name is patched. Taints are a list, which may be replaced only if the Node has not changed meanwhile. */
const guard = ({ metadata: { uid, resourceVersion } }: Node, change: NodeUpdate['node']) => ({
  uid,
  ...(change?.taints ? { resourceVersion } : {}),
});

const anew = (name: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `node ${name} was registered again while it was being updated`,
    remedy: 'No action needed: the new Node is processed automatically.',
  });

const nodePatch = (node: Node, change: NonNullable<NodeUpdate['node']>) => ({
  metadata: {
    ...guard(node, change),
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

export const createNodeWriter = ({ client, clock, random, fence, concurrency }: NodeWriterOptions): NodeWriter => {
  const limited = createLimit(concurrency);
  const beforeSend = fence.assertHeld;
  /** Returns the updated Node. */
  const writeAddresses = (node: Node, { addresses, node: change }: NodeUpdate, signal: AbortSignal): Promise<Node> =>
    client.patch(
      nodes,
      { name: node.metadata.name ?? '' },
      {
        // A merge patch replaces the list as a whole; a strategic one would merge addresses by type and lose a dual-stack pair.
        type: 'merge',
        body: { metadata: guard(node, change), status: { addresses } },
      },
      { signal, beforeSend, subresource: 'status' },
    );
  // Addresses are written first: a node without the taint counts as initialized, including its addresses.
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
      await client.patch(nodes, { name: node.metadata.name ?? '' }, { type: 'merge', body }, { signal, beforeSend });
    }
    return update;
  };

  /** The API server refuses a patch of a Node that was registered again as invalid. */
  const explain = async (error: unknown, { metadata: { name = '', uid } }: Node, signal: AbortSignal) => {
    if (!isVdoError(error, 'KubeInvalid')) throw error;
    const current = await client.get(nodes, { name }, { signal });
    throw current.metadata.uid === uid ? error : anew(name);
  };

  return {
    write: (node, decide, { signal }) =>
      retry(
        async (attempt) => {
          const current =
            attempt === 1 ? node : await client.get(nodes, { name: node.metadata.name ?? '' }, { signal });
          if (current.metadata.uid !== node.metadata.uid) throw anew(node.metadata.name ?? '');
          const update = decide(current);
          if (!update.node && !update.addresses) return update;
          return limited(() => writeOnce(current, decide, signal).catch((error) => explain(error, node, signal)));
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
