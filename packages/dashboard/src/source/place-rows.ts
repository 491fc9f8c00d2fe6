import { annotationKeys, labelKeys, names, taintKeys } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';
import type { StorageClass } from '@vdo/kube/types/storage';
import type { Inventory } from '../inventory.ts';
import type { DatastoreRow, Health, HostRow, NodeRow, PolicyRow } from '../rows/place-rows.ts';
import { datastoreKey } from './disk-index.ts';
import type { NodePlace } from './places-note.ts';
import { createRowMemory, remember } from './remember.ts';
import type { Growth } from './space-history.ts';
import { given } from './volume-facts.ts';
import { policyOf } from './volume-rows.ts';

export interface PlaceFacts {
  readonly nodes: readonly Node[];
  readonly places: readonly NodePlace[];
  readonly classes: readonly StorageClass[];
  readonly inventory: Inventory;
  /** Of datastores, by key. */
  readonly growth: ReadonlyMap<string, Growth>;
  /** `kind name` of an object → the problem that the checks report. */
  readonly problems: ReadonlyMap<string, Problem>;
}

export interface Problem {
  readonly health: Health;
  readonly message: string;
}

const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') ?? false;

const isUninitialized = ({ spec }: Node): boolean =>
  spec.taints?.some(({ key }) => key === taintKeys.uninitialized) ?? false;

const slotsOf = ({ vcenters }: Inventory): ReadonlyMap<string, readonly [used: number, total: number]> =>
  new Map(vcenters.flatMap(({ slots }) => Object.entries(slots)));

const nodeIlls = (node: Node, place: NodePlace | undefined): readonly string[] => [
  ...(place?.power ? [`VM is ${place.power}`] : []),
  ...(isUninitialized(node) ? ['not initialized yet'] : isReady(node) ? [] : ['not Ready']),
];

const nodeHealth = (ills: readonly string[], place: NodePlace | undefined, problem: Problem | undefined): Health =>
  ills.length > 0 ? 'bad' : (problem?.health ?? (place ? 'good' : 'unknown'));

const nodeRow = (
  node: Node,
  place: NodePlace | undefined,
  known: { readonly problem: Problem | undefined; readonly slots: readonly [used: number, total: number] | undefined },
): NodeRow => {
  const { name = '', uid, labels = {} } = node.metadata;
  const { problem, slots } = known;
  const ills = nodeIlls(node, place);
  const notes = [...ills, ...(problem ? [problem.message] : [])];
  return {
    key: name,
    name,
    health: nodeHealth(ills, place, problem),
    note: notes.join('; ') || (place ? '' : 'its VM is not known yet'),
    ips: (node.status?.addresses ?? []).filter(({ type }) => type.endsWith('IP')).map(({ address }) => address),
    ...given({
      uid,
      uuid: node.spec.providerID?.replace(names.providerIdPrefix, ''),
      kubelet: node.status?.nodeInfo?.kubeletVersion,
      zone: labels[labelKeys.zone],
      region: labels[labelKeys.region],
      vm: place && (place.vm ?? name),
      vcenter: place?.vcenter,
      host: place?.host,
      cluster: place?.cluster,
      datacenter: place?.datacenter,
      slots: slots && { used: slots[0], total: slots[1] },
    }),
  };
};

/** What the next build reuses. */
export const createNodeMemory = () => ({
  rows: createRowMemory<NodeRow>(),
  placesOf: remember(
    (places: readonly NodePlace[]): ReadonlyMap<string, NodePlace> =>
      new Map(places.map((place) => [place.node, place])),
  ),
  slotsOf: remember(slotsOf),
});

/** Nodes, with the VM and the places above it. */
export const nodeRows = (
  { nodes, places, inventory, problems }: PlaceFacts,
  memory: ReturnType<typeof createNodeMemory> = createNodeMemory(),
): readonly NodeRow[] => {
  const placeOf = memory.placesOf(places);
  const slots = memory.slotsOf(inventory);
  const rows = nodes.map((node) => {
    const { name = '' } = node.metadata;
    const [place, problem, taken] = [placeOf.get(name), problems.get(`Node ${name}`), slots.get(name)];
    return memory.rows.row(name, [node, place, problem?.health, problem?.message, taken], () =>
      nodeRow(node, place, { problem, slots: taken }),
    );
  });
  memory.rows.turn();
  return rows;
};

/** Hosts that run a node. */
export const hostRows = ({ places, inventory, problems }: PlaceFacts): readonly HostRow[] => {
  const versions = new Map<string, string>(
    inventory.vcenters.flatMap(({ vcenter, hosts }) =>
      hosts.map(({ name, version }) => [`${vcenter}/${name}`, version] as const),
    ),
  );
  const rows = new Map<string, HostRow>();
  for (const { host, vcenter, cluster, datacenter, hostNote = '', isHostDown = false } of places) {
    if (host === undefined) continue;
    const key = `${vcenter}/${host}`;
    const problem = problems.get(`Host ${host}`);
    const version = versions.get(key);
    rows.set(key, {
      key,
      name: host,
      vcenter,
      health: isHostDown ? 'bad' : (problem?.health ?? (hostNote === '' ? 'good' : 'warn')),
      note: [hostNote, problem?.message ?? ''].filter((part) => part !== '').join('; '),
      ...given({ cluster, datacenter, version }),
    });
  }
  return [...rows.values()];
};

/** Below this share of free space a datastore has a warning. */
const littleSpace = 0.1;

export const datastoreRows = ({ inventory, problems, growth }: PlaceFacts): readonly DatastoreRow[] =>
  inventory.vcenters.flatMap(({ vcenter, datastores }) =>
    datastores.map(({ problem, ...datastore }): DatastoreRow => {
      const judged = problems.get(`Datastore ${datastore.name}`);
      const isFull = datastore.capacity > 0 && datastore.free / datastore.capacity < littleSpace;
      const health = problem === '' ? (judged?.health ?? (isFull ? 'warn' : 'good')) : 'bad';
      const note = problem || judged?.message || (isFull ? 'little free space' : '');
      const key = datastoreKey(vcenter, datastore);
      const grown = growth.get(key);
      return { ...datastore, key, vcenter, health, note, ...(grown ? { growth: grown } : {}) };
    }),
  );

/** Storage policies that StorageClasses of the driver name. */
export const policyRows = ({ classes, inventory, problems }: PlaceFacts): readonly PolicyRow[] => {
  const rows = new Map<string, PolicyRow>();
  const known = inventory.vcenters.flatMap(({ vcenter, policies }) => policies.map((one) => ({ vcenter, ...one })));
  for (const one of classes.filter(({ provisioner }) => provisioner === names.csiDriver)) {
    const { name: className = '', annotations = {} } = one.metadata;
    const name = policyOf(one) ?? '';
    const found = known.filter((policy) => policy.name === name);
    const problem = problems.get(`StorageClass ${className}`);
    const isMissing = found.length > 0 && found.every(({ exists }) => !exists);
    const before = rows.get(name);
    const datastores = found.flatMap((policy) =>
      policy.datastores.map((datastore) => datastoreKey(policy.vcenter, { name: datastore })),
    );
    rows.set(name, {
      key: name === '' ? 'none' : name,
      name: name === '' ? 'no policy' : name,
      health: isMissing ? 'bad' : (problem?.health ?? before?.health ?? 'good'),
      note: isMissing ? 'no vCenter has this policy' : (problem?.message ?? before?.note ?? ''),
      classes: [
        ...(before?.classes ?? []),
        { name: className, isDefault: annotations[annotationKeys.defaultStorageClass] === 'true' },
      ],
      ...(found.length > 0 ? { datastores } : {}),
    });
  }
  return [...rows.values()];
};
