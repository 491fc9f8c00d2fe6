/**
 * Knows which addresses were reported by the VMs of several nodes, for example virtual addresses of kube-vip or keepalived,
 * which move from VM to VM. An address that a node once reported counts while the node exists.
 */
export interface SharedAddresses {
  /** Records a node's report and returns the other nodes that have reported a newly shared address. */
  report(node: string, addresses: readonly string[]): readonly string[];
  forget(node: string): void;
  readonly shared: ReadonlySet<string>;
}

export const createSharedAddresses = (): SharedAddresses => {
  const nodesByAddress = new Map<string, Set<string>>();
  const shared = new Set<string>();

  const nodesOf = (address: string): Set<string> => {
    const known = nodesByAddress.get(address);
    if (known) return known;
    const created = new Set<string>();
    nodesByAddress.set(address, created);
    return created;
  };

  return {
    shared,
    report: (node, addresses) => {
      const affected = new Set<string>();
      for (const address of addresses) {
        const nodes = nodesOf(address).add(node);
        if (nodes.size < 2 || shared.has(address)) continue;
        shared.add(address);
        for (const other of nodes) affected.add(other);
      }
      affected.delete(node);
      return [...affected];
    },
    forget: (node) => {
      for (const [address, nodes] of nodesByAddress) {
        if (!nodes.delete(node)) continue;
        if (nodes.size < 2) shared.delete(address);
        if (nodes.size === 0) nodesByAddress.delete(address);
      }
    },
  };
};
