import type { Informer } from '@vdo/kube/informer';
import type { Node } from '@vdo/kube/types/core';
import { type ClusterNode, type NodeSnapshot, toClusterNode } from './cluster-node.ts';

const identityOf = ({ name, labels, query }: ClusterNode): string =>
  JSON.stringify([name, query?.uuid ?? '', query !== undefined, Object.entries(labels).sort()]);

/** Keeps what placement needs of the nodes; the heartbeats that kubelets write every few seconds change nothing. */
export const createNodeSource = (informer: Informer<Node>): (() => NodeSnapshot) => {
  const known = new Map<string, { readonly node: ClusterNode; readonly identity: string }>();
  let version = 0;
  let snapshot: NodeSnapshot | undefined;
  const changed = () => {
    version++;
    snapshot = undefined;
  };
  informer.onChange(({ type, object }) => {
    const node = toClusterNode(object);
    if (type === 'deleted') {
      known.delete(node.name);
      changed();
      return;
    }
    const identity = identityOf(node);
    if (known.get(node.name)?.identity === identity) return;
    known.set(node.name, { node, identity });
    changed();
  });
  return () => {
    snapshot ??= { version: String(version), nodes: [...known.values()].map(({ node }) => node) };
    return snapshot;
  };
};
