import { taintKeys } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';
import type { TopologyPlace } from '../model.ts';

/** Where a node's VM runs, as far as it is known. */
export interface NodePlace {
  readonly node: string;
  readonly vcenter: string;
  readonly datacenter?: string;
  /** Empty: the host stands alone. */
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

export interface TopologyInput {
  readonly nodes: readonly Node[];
  readonly places: readonly NodePlace[];
  /** Those of the configuration: each is on the map, also before a node was found there. */
  readonly vcenters: readonly string[];
  /** `kind name` of an object → what is wrong with it; of kind VCenter, Host or Node. */
  readonly problems: ReadonlyMap<string, string>;
}

type Health = TopologyPlace['health'];
type Placed = { readonly node: Node; readonly place: NodePlace };
interface Own {
  readonly health: Health;
  readonly note: string;
}

const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') ?? false;

const isUninitialised = ({ spec }: Node): boolean =>
  spec.taints?.some(({ key }) => key === taintKeys.uninitialized) ?? false;

const nodePlace = (node: Node, place: NodePlace | undefined, { problems }: TopologyInput): TopologyPlace => {
  const name = node.metadata.name ?? '';
  const ills = [
    problems.get(`Node ${name}`),
    place?.power && `VM ${place.power}`,
    isUninitialised(node) ? 'not initialised yet' : isReady(node) ? undefined : 'not Ready',
  ].filter((ill) => ill !== undefined);
  const note = [place?.vm === undefined ? '' : `VM ${place.vm}`, ...ills].filter((part) => part !== '').join(', ');
  return { kind: 'Node', name, health: ills.length === 0 ? 'good' : 'bad', note, children: [] };
};

const worst = (healths: readonly Health[]): Health =>
  healths.includes('bad') ? 'bad' : healths.includes('unknown') ? 'unknown' : 'good';

const fine: Own = { health: 'good', note: '' };

const ownOf = (kind: string, name: string, { problems }: TopologyInput): Own => {
  const problem = problems.get(`${kind} ${name}`);
  return problem === undefined ? fine : { health: 'bad', note: problem };
};

const hostOwn = (name: string, [first]: readonly Placed[], input: TopologyInput): Own => {
  const own = ownOf('Host', name, input);
  const { hostNote = '', isHostDown = false } = first?.place ?? {};
  return own.health === 'bad' ? own : { health: isHostDown ? 'bad' : 'good', note: hostNote };
};

const clusterName = ({ cluster }: NodePlace): string => (cluster === '' ? 'none' : (cluster ?? 'unknown'));

const levels = [
  [
    'vCenter',
    ({ vcenter }: NodePlace) => vcenter,
    (name: string, _: readonly Placed[], input: TopologyInput) => ownOf('VCenter', name, input),
  ],
  ['Datacenter', ({ datacenter }: NodePlace) => datacenter ?? 'unknown', () => fine],
  ['Cluster', clusterName, () => fine],
  ['Host', ({ host }: NodePlace) => host ?? 'unknown', hostOwn],
] as const;

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
};

const byName = (left: TopologyPlace, right: TopologyPlace): number =>
  left.name.localeCompare(right.name, 'en', { numeric: true });

const grow = (placed: readonly Placed[], depth: number, input: TopologyInput): readonly TopologyPlace[] => {
  const level = levels[depth];
  if (!level) return placed.map(({ node, place }) => nodePlace(node, place, input)).sort(byName);
  const [kind, nameOf, judge] = level;
  return [...groupBy(placed, ({ place }) => nameOf(place))]
    .map(([name, members]): TopologyPlace => {
      const children = grow(members, depth + 1, input);
      const { health, note } = judge(name, members, input);
      return { kind, name, health: worst([health, ...children.map((child) => child.health)]), note, children };
    })
    .sort(byName);
};

const emptyVCenter = (name: string, input: TopologyInput): TopologyPlace => {
  const { health, note } = ownOf('VCenter', name, input);
  return {
    kind: 'vCenter',
    name,
    health: health === 'good' ? 'unknown' : health,
    note: note || 'no node was found there yet',
    children: [],
  };
};

/** The tree of places down to the nodes. Nodes whose VM is not known come last, by themselves. */
export const topologyOf = (input: TopologyInput): readonly TopologyPlace[] => {
  const placeOf = new Map(input.places.map((place) => [place.node, place]));
  const placed: Placed[] = [];
  const rest: Node[] = [];
  for (const node of input.nodes) {
    const place = placeOf.get(node.metadata.name ?? '');
    if (place) placed.push({ node, place });
    else rest.push(node);
  }
  const grown = grow(placed, 0, input);
  const empty = input.vcenters.filter((name) => !grown.some((one) => one.name === name));
  return [
    ...[...grown, ...empty.map((name) => emptyVCenter(name, input))].sort(byName),
    ...rest.map((node) => nodePlace(node, undefined, input)).sort(byName),
  ];
};
