/** Where a node's VM runs, as far as it is known. */
export interface NodePlace {
  readonly node: string;
  readonly vcenter: string;
  readonly datacenter?: string;
  /** Empty: the host is in no cluster. */
  readonly cluster?: string;
  readonly host?: string;
  /** Why the host cannot serve, or that it is in maintenance; absent: nothing to say. */
  readonly hostNote?: string;
  readonly isHostDown?: boolean;
  /** Name of the VM, where it is not that of the node. */
  readonly vm?: string;
  /** `powered off`, `suspended`; absent while it runs. */
  readonly power?: string;
}

/**
 * The ConfigMap in the operator's namespace in which it notes where the node VMs run, so that every reader of the page
 * has the map, a replica that waits and vdoctl too, without a call to a vCenter.
 */
export const placesNote = { name: 'vdo-places', key: 'state' } as const;

type OnHost = Pick<NodePlace, 'node' | 'vm' | 'power'>;

/** Grouped by host: thousands of nodes fit into a ConfigMap. */
export interface NotedPlaces {
  readonly hosts?: readonly (Omit<NodePlace, 'node' | 'vm' | 'power'> & { readonly nodes: readonly OnHost[] })[];
}

/** The same places are always the same note. */
export const notePlaces = (places: readonly NodePlace[]): NotedPlaces => {
  const hosts = new Map<
    string,
    { readonly host: Omit<NodePlace, 'node' | 'vm' | 'power'>; readonly nodes: OnHost[] }
  >();
  const ordered = [...places].sort((left, right) => (left.node < right.node ? -1 : 1));
  for (const { node, vm, power, ...host } of ordered) {
    const key = JSON.stringify([host.vcenter, host.datacenter, host.cluster, host.host]);
    const group = hosts.get(key) ?? { host, nodes: [] };
    hosts.set(key, group);
    group.nodes.push({ node, ...(vm === undefined ? {} : { vm }), ...(power === undefined ? {} : { power }) });
  }
  const sorted = [...hosts].sort(([left], [right]) => (left < right ? -1 : 1));
  return { hosts: sorted.map(([, { host, nodes }]) => ({ ...host, nodes })) };
};

export const readNotedPlaces = ({ hosts = [] }: NotedPlaces): readonly NodePlace[] =>
  hosts.flatMap(({ nodes, ...host }) => nodes.map((node) => ({ ...host, ...node })));

/** The places in the text of the note; none if it is no such note. */
export const parsePlacesNote = (text: string | undefined): readonly NodePlace[] => {
  if (text === undefined) return [];
  try {
    return readNotedPlaces(JSON.parse(text) as NotedPlaces);
  } catch {
    return [];
  }
};
