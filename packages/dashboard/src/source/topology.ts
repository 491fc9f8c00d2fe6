import type { Node } from '@vdo/kube/types/core';
import type { TopologyPlace } from '../model.ts';

/** Where a node's VM runs, as far as it is known. */
export interface NodePlace {
  readonly node: string;
  readonly vcenter: string;
  readonly datacenter?: string;
  readonly cluster?: string;
  readonly host?: string;
}

const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') ?? false;

const nodePlace = (node: Node, failing: ReadonlyMap<string, string>): TopologyPlace => {
  const name = node.metadata.name ?? '';
  const problem = failing.get(name);
  const uninitialised = node.spec.taints?.some(({ key }) => key === 'node.cloudprovider.kubernetes.io/uninitialized');
  const note = problem ?? (uninitialised ? 'not initialised yet' : isReady(node) ? '' : 'not Ready');
  return { kind: 'Node', name, health: note === '' ? 'good' : 'bad', note, children: [] };
};

const worst = (children: readonly TopologyPlace[]): TopologyPlace['health'] =>
  children.some(({ health }) => health === 'bad')
    ? 'bad'
    : children.some(({ health }) => health === 'unknown')
      ? 'unknown'
      : 'good';

const levels = [
  ['vCenter', (place: NodePlace) => place.vcenter],
  ['Datacenter', (place: NodePlace) => place.datacenter ?? 'unknown datacenter'],
  ['Cluster', (place: NodePlace) => place.cluster ?? 'no cluster'],
  ['Host', (place: NodePlace) => place.host ?? 'unknown host'],
] as const;

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

type Placed = { readonly node: Node; readonly place: NodePlace };

const grow = (
  placed: readonly Placed[],
  depth: number,
  failing: ReadonlyMap<string, string>,
): readonly TopologyPlace[] => {
  const level = levels[depth];
  if (!level) return placed.map(({ node }) => nodePlace(node, failing));
  const [kind, nameOf] = level;
  return [...groupBy(placed, ({ place }) => nameOf(place))]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([name, members]) => {
      const children = grow(members, depth + 1, failing);
      return { kind, name, health: worst(children), note: '', children };
    });
};

/** The tree of places down to the nodes. Nodes whose VM is not known come last, by themselves. */
export const topologyOf = (
  nodes: readonly Node[],
  places: readonly NodePlace[],
  failing: ReadonlyMap<string, string>,
): readonly TopologyPlace[] => {
  const byNode = new Map(places.map((place) => [place.node, place]));
  const placed: Placed[] = [];
  const rest: Node[] = [];
  for (const node of nodes) {
    const place = byNode.get(node.metadata.name ?? '');
    if (place) placed.push({ node, place });
    else rest.push(node);
  }
  return [...grow(placed, 0, failing), ...rest.map((node) => nodePlace(node, failing))];
};
