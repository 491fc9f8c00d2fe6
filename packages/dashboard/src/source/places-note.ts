import { gunzipSync, gzipSync } from 'node:zlib';

/** Where a node's VM runs, as far as it is known. */
export interface NodePlace {
  readonly node: string;
  readonly vcenter: string;
  readonly datacenter?: string;
  /** Empty: the host is in no cluster. */
  readonly cluster?: string;
  readonly host?: string;
  /** Why the host cannot run VMs, or that it is in maintenance; absent: neither. */
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
type NotedHost = Omit<NodePlace, 'node' | 'vm' | 'power'> & { readonly nodes: readonly OnHost[] };

/** Grouped by host. A release that does not know `packed` reads a note without hosts as empty. */
export interface NotedPlaces {
  /** While the note is small, so that people and the release before can read it. */
  readonly hosts?: readonly NotedHost[];
  /** The same as JSON, gzip and base64: thousands of nodes fit. */
  readonly packed?: string;
  /** Nodes that are left out because the note would be too large; absent: none. */
  readonly left?: number;
}

/** The content of a note. */
export interface KnownPlaces {
  readonly places: readonly NodePlace[];
  /** Nodes that the note leaves out. */
  readonly left: number;
}

/** Above this the note is packed. */
const plainBytes = 64 * 1024;
/** Nothing over 256 KiB is written to the API; the rest is for metadata. */
const mostBytes = 240 * 1024;
/** A note that unpacks to more was not written by VDO. */
const mostUnpackedBytes = 64 * 1024 * 1024;

const groupByHost = (places: readonly NodePlace[]): readonly NotedHost[] => {
  const hosts = new Map<string, { readonly host: Omit<NotedHost, 'nodes'>; readonly nodes: OnHost[] }>();
  const ordered = [...places].sort((left, right) => (left.node < right.node ? -1 : 1));
  for (const { node, vm, power, ...host } of ordered) {
    const key = JSON.stringify([host.vcenter, host.datacenter, host.cluster, host.host]);
    const group = hosts.get(key) ?? { host, nodes: [] };
    hosts.set(key, group);
    group.nodes.push({ node, ...(vm === undefined ? {} : { vm }), ...(power === undefined ? {} : { power }) });
  }
  const sorted = [...hosts].sort(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([, { host, nodes }]) => ({ ...host, nodes }));
};

const countNodes = (hosts: readonly NotedHost[]): number => hosts.reduce((sum, { nodes }) => sum + nodes.length, 0);

/** As many hosts as fit, those with a note first. */
const pack = (hosts: readonly NotedHost[]): NotedPlaces => {
  const total = countNodes(hosts);
  const isQuiet = ({ hostNote, nodes }: NotedHost): number =>
    hostNote === undefined && nodes.every(({ power }) => power === undefined) ? 1 : 0;
  let kept = hosts;
  for (;;) {
    const packed = gzipSync(JSON.stringify(kept), { level: 9 }).toString('base64');
    const left = total - countNodes(kept);
    if (packed.length <= mostBytes) return { packed, ...(left > 0 ? { left } : {}) };
    const count = Math.floor(kept.length * Math.min(0.95, (0.97 * mostBytes) / packed.length));
    kept = [...kept].sort((one, other) => isQuiet(one) - isQuiet(other)).slice(0, count);
  }
};

/** The same places are always the same note, and no note is larger than the API may be given. */
export const notePlaces = (places: readonly NodePlace[]): NotedPlaces => {
  const hosts = groupByHost(places);
  return Buffer.byteLength(JSON.stringify(hosts)) <= plainBytes ? { hosts } : pack(hosts);
};

const unpack = (packed: string): readonly NotedHost[] =>
  JSON.parse(
    gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: mostUnpackedBytes }).toString(),
  ) as readonly NotedHost[];

/** The content of a note; empty if another program wrote it. */
export const readNotedPlaces = ({ hosts = [], packed, left = 0 }: NotedPlaces): KnownPlaces => {
  try {
    const noted = packed === undefined ? hosts : unpack(packed);
    return { places: noted.flatMap(({ nodes, ...host }) => nodes.map((node) => ({ ...host, ...node }))), left };
  } catch {
    return { places: [], left: 0 };
  }
};

/** The content of a note from its text. */
export const parsePlacesNote = (text: string | undefined): KnownPlaces => {
  try {
    return readNotedPlaces(JSON.parse(text ?? '{}') as NotedPlaces);
  } catch {
    return { places: [], left: 0 };
  }
};
