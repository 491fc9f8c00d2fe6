import type { Clock } from '@vdo/base/clock';
import { withoutTrailing } from '@vdo/base/cut-text';
import type { Logger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterFeatureId } from '@vdo/config/vcenter-features';
import type { Authorization } from '@vdo/vsphere/authorization/authorization';
import type { HealthReader } from '@vdo/vsphere/health/health-reader';
import type { FileServices } from '@vdo/vsphere/inventory/file-services';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import type { VCenter } from '@vdo/vsphere/vcenter';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { createFileDatastores } from './file-datastores.ts';
import type { NodeSnapshot } from './node-source.ts';
import { findNodeVms, type NodeVm, type NodeVms } from './node-vms.ts';
import { assertOffers, lackOn } from './offered.ts';
import type { Placer } from './placer.ts';
import { createPreferredDatastores } from './preferred-datastores.ts';
import { describeSegments, type Segments, within } from './segments.ts';
import { createVersionedCache } from './versioned-cache.ts';

/** What is known about one topology segment (or the whole cluster) on one vCenter. */
export interface PlaceFacts {
  readonly server: string;
  readonly topology?: Segments;
  /** Nodes whose VMs were found there. */
  readonly nodes: readonly string[];
  readonly shared: readonly DatastoreFacts[];
  /** Datastore name → VMs that lack it. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
  /** Datastores (by MoRef value) where the user may not create volumes, with the missing privilege. */
  readonly forbidden?: ReadonlyMap<string, string>;
}

export interface PlacementQuestion {
  readonly datastoreUrl?: string;
  readonly datastoreName?: string;
  /** Why a datastore cannot store this kind of volume; undefined if it can. By default all can. */
  readonly unfit?: (datastore: DatastoreFacts) => string | undefined;
  /** In order of preference. */
  readonly places: readonly PlaceFacts[];
  /** Nodes whose VM was not found on any vCenter. */
  readonly lostNodes: readonly string[];
  /** The requested topology segments, if any, and the labels that nodes have instead. */
  readonly asked?: { readonly topologies: readonly Segments[]; readonly unlabelled: readonly string[] };
}

const sameUrl = (left: string, right: string): boolean => withoutTrailing(left, '/') === withoutTrailing(right, '/');

const shorten = (items: readonly string[], max = 5): string =>
  items.length <= max ? items.join(', ') : `${items.slice(0, max).join(', ')} and ${items.length - max} more`;

type Wanted = Pick<PlacementQuestion, 'datastoreUrl' | 'datastoreName' | 'unfit'>;

const isNamed = ({ datastoreUrl, datastoreName }: Wanted): boolean =>
  datastoreUrl !== undefined || datastoreName !== undefined;

const isWanted = ({ url, name }: DatastoreFacts, { datastoreUrl, datastoreName }: Wanted): boolean =>
  (datastoreUrl === undefined || sameUrl(url, datastoreUrl)) && (datastoreName === undefined || name === datastoreName);

/** Why a datastore that all nodes can access cannot be used. */
const whyNot = (datastore: DatastoreFacts, place: PlaceFacts, { unfit }: Wanted): string | undefined => {
  const { name, ref, maintenance, accessible, suspended } = datastore;
  if (maintenance) return `${name} is in maintenance mode`;
  if (!accessible) return `${name} is not accessible`;
  if (suspended) return `${name} is suspended for container volumes`;
  const privilege = place.forbidden?.get(ref.value);
  if (privilege) return `the user lacks the privilege ${privilege} on ${name}`;
  const reason = unfit?.(datastore);
  return reason && `${name} ${reason}`;
};

const explainPlace = (place: PlaceFacts, wanted: Wanted): string => {
  const where = place.topology ? `in ${describeSegments(place.topology)} ` : '';
  const on = `${where}on vCenter ${place.server}`;
  const named = isNamed(wanted);
  const found = place.shared.find((datastore) => named && isWanted(datastore, wanted));
  if (found) return `${on} ${whyNot(found, place, wanted)}`;
  const unusable = place.shared.flatMap((datastore) => whyNot(datastore, place, wanted) ?? []);
  const lacking = [...place.missing].map(([name, vms]) => `${name} is not mounted on the host of ${shorten(vms)}`);
  const others = place.shared.filter((datastore) => whyNot(datastore, place, wanted) === undefined);
  const asked = named ? `datastore ${wanted.datastoreUrl ?? wanted.datastoreName}` : 'no datastore';
  const reached = named
    ? 'is not accessible to all'
    : unusable.length > 0
      ? 'can be used by all'
      : 'is accessible to all';
  const details = [...lacking, ...unusable].slice(0, 10);
  return [
    `${on} ${asked} ${reached} of ${shorten(place.nodes)}`,
    ...(details.length > 0 ? [details.join('; ')] : []),
    ...(named && others.length > 0
      ? [`shared datastores are ${shorten(others.map(({ name, url }) => `${name} (${url})`))}`]
      : []),
  ].join(': ');
};

const explainTopology = ({ asked }: PlacementQuestion): string => {
  const places = (asked?.topologies ?? []).map(describeSegments);
  const unlabelled = asked?.unlabelled ?? [];
  const lacking =
    unlabelled.length > 0 ? `: ${shorten(unlabelled)} have no such label, because their hosts have no such tag` : '';
  return `no node of the cluster is in the requested topology (${shorten(places) || 'any'})${lacking}`;
};

const remedyFor = (question: PlacementQuestion): string => {
  const privilege = question.places.flatMap(({ forbidden }) => [...(forbidden?.values() ?? [])])[0];
  if (privilege) return `Grant the driver's user the privilege ${privilege} on these datastores.`;
  const suspended = question.places
    .flatMap(({ shared }) => shared)
    .find((one) => one.suspended && isWanted(one, question));
  if (suspended)
    return `Resume ${suspended.name} (remove its custom attribute cns.vmware.com/datastoreSuspended in vCenter), or mount another datastore on the hosts of all nodes.`;
  if (isNamed(question))
    return 'Mount that datastore on these hosts, or create a StorageClass with the URL of a shared datastore.';
  return 'Mount one datastore on the hosts of all nodes, or configure topology, so that volumes are created per zone.';
};

const nothing = (question: PlacementQuestion): VdoError => {
  const { places, lostNodes } = question;
  const lost = lostNodes.length > 0 ? [`the VM of ${shorten(lostNodes)} was not found on any configured vCenter`] : [];
  const none = places.length === 0 && lost.length === 0 ? [explainTopology(question)] : [];
  return new VdoError({
    code: 'VolumeNoDatastore',
    message: [...places.map((place) => explainPlace(place, question)), ...lost, ...none].join('. '),
    remedy: remedyFor(question),
    details: { lostNodes, servers: places.map(({ server }) => server) },
  });
};

/** The first topology segment that has a datastore for the volume, with all suitable datastores, most free space first. */
const decidePlacement = (
  question: PlacementQuestion,
): { readonly place: PlaceFacts; readonly datastores: readonly DatastoreFacts[] } => {
  for (const place of question.places) {
    const datastores = place.shared
      .filter((datastore) => isWanted(datastore, question) && whyNot(datastore, place, question) === undefined)
      .sort((a, b) => (a.freeBytes === b.freeBytes ? 0 : a.freeBytes < b.freeBytes ? 1 : -1));
    if (datastores.length > 0) return { place, datastores };
  }
  throw nothing(question);
};

export interface PlacerDeps {
  readonly vcenters: readonly PlacerVCenter[];
  /** Datacenters to search, per vCenter; all by default. */
  readonly datacentersOf?: (server: string) => readonly string[];
  /** The present nodes of the cluster. */
  readonly nodes: () => NodeSnapshot;
  /** URLs of the datastores for file shares; empty, and by default: any vSAN datastore. */
  readonly fileDatastoreUrls?: readonly string[];
  /** vSAN clusters for file shares, by name, inventory path or ID; empty, and by default: any. */
  readonly fileClusters?: readonly string[];
  /** Whether each node gets its own access to file shares. By default the configuration grants access permanently. */
  readonly sharesPerNode?: boolean;
  /** How long tags that prefer datastores are cached; 5 minutes by default, as in the Go driver. */
  readonly preferredMaxAgeMs?: number;
  /** Node labels that carry the topology. */
  readonly topologyLabels?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long answers about hosts of VMs and mounts of datastores are cached, because they are not watched; 30 s by default. */
  readonly maxAgeMs?: number;
}

/** The calls to vCenter that the placer needs. */
type PlacerVCenter = VCenter & {
  readonly authorization?: Pick<Authorization, 'missingPrivileges'>;
  readonly fileServices?: FileServices;
  readonly health?: Pick<HealthReader, 'tags'>;
};

/** Privilege that CNS requires to create volumes on a datastore. */
const privilege = 'Datastore.FileManagement';

/** The node VMs of one topology segment on one vCenter; never empty. */
interface Group {
  readonly vcenter: PlacerVCenter;
  readonly topology: Segments | undefined;
  readonly members: readonly NodeVm[];
}

const spread = (servers: readonly string[]): VdoError =>
  new VdoError({
    code: 'VolumeNoDatastore',
    message: `the nodes are on several vCenters (${servers.join(', ')}), which share no datastore`,
    remedy:
      'Configure csi.topologyCategories and use volumeBindingMode WaitForFirstConsumer, so that each volume is created in the zone of its pod.',
    details: { servers },
  });

/** Nodes that have none of the topology labels. */
const unlabelledOf = ({ found }: NodeVms, topologies: readonly Segments[]): readonly string[] => {
  const keys = new Set(topologies.flatMap((place) => Object.keys(place)));
  return found.filter(({ node }) => ![...keys].some((key) => key in node.labels)).map(({ node }) => node.name);
};

const groupsOf = (
  vcenters: readonly PlacerVCenter[],
  vms: NodeVms,
  topologies: readonly Segments[],
): readonly Group[] => {
  const places = topologies.length > 0 ? topologies : [undefined];
  return places.flatMap((topology) =>
    vcenters.flatMap((vcenter): readonly Group[] => {
      const members = vms.found.filter(
        (one) => one.vcenter === vcenter && (topology === undefined || within(one.node.labels, topology)),
      );
      return members.length > 0 ? [{ vcenter, topology, members }] : [];
    }),
  );
};

/** The segments of all levels to which the nodes belong: a request may name only one of them. */
const segmentsAround = (members: readonly NodeVm[], labels: readonly string[]): readonly string[] =>
  members.flatMap(({ node }) => labels.flatMap((label) => node.labels[label] ?? []));

/** Datastores on which the user may not create volumes. If this cannot be checked, the datastore is tried. */
const forbiddenOf = async (
  vcenter: PlacerVCenter,
  datastores: readonly DatastoreFacts[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const refs = datastores.map(({ ref }) => ref);
  const lacking = await vcenter.authorization?.missingPrivileges(refs, [privilege], { signal }).catch(() => undefined);
  return new Map(refs.flatMap((ref) => (lacking?.has(morefKey(ref)) ? [[ref.value, privilege] as const] : [])));
};

/** Segments on vCenters that have the features that the volume needs; throws VCenterVersionUnsupported if there are none. */
const ableOf = async (
  groups: readonly Group[],
  features: readonly VCenterFeatureId[],
  options: { readonly signal: AbortSignal },
): Promise<readonly Group[]> => {
  const lacks = await Promise.all(groups.map(({ vcenter }) => lackOn(vcenter, features, options)));
  const able = groups.filter((_group, index) => lacks[index] === undefined);
  const [first] = groups;
  if (able.length === 0 && first) for (const feature of features) await assertOffers(first.vcenter, feature, options);
  return able;
};

/** Finds datastores by the mounts of the node VMs' hosts. Reads from vCenter only if nodes or hosts have changed or the cache has expired. */
export const createPlacer = (deps: PlacerDeps): Placer => {
  const { vcenters, nodes, clock, maxAgeMs = 30_000, datacentersOf = () => [], fileDatastoreUrls = [] } = deps;
  const vmsCache = createVersionedCache<NodeVms>({ clock, maxAgeMs });
  const factsCache = createVersionedCache<PlaceFacts>({ clock, maxAgeMs });
  const files = createFileDatastores({ urls: fileDatastoreUrls, clusters: deps.fileClusters ?? [], clock, maxAgeMs });

  const preferences = createPreferredDatastores({ clock, logger: deps.logger, maxAgeMs: deps.preferredMaxAgeMs });

  const shareFeatures: readonly VCenterFeatureId[] = deps.sharesPerNode
    ? ['file-volumes', 'share-access']
    : ['file-volumes'];

  const nodeVms = (signal: AbortSignal): Promise<NodeVms> => {
    const { version, nodes: wanted } = nodes();
    return vmsCache.get('', version, () => findNodeVms(wanted, { vcenters, datacentersOf, signal }));
  };

  const factsOf = ({ vcenter, topology, members }: Group, signal: AbortSignal): Promise<PlaceFacts> => {
    const current = members.map(({ vm }) => vcenter.nodes.get(vm.ref) ?? vm);
    const id = `${vcenter.server}/${JSON.stringify(topology ?? {})}`;
    const hosts = current.map(({ ref, host }) => `${morefKey(ref)}@${host?.value ?? ''}`).join(' ');
    const refs = current.map(({ ref }) => ref);
    return factsCache.get(id, hosts, async () => {
      const { shared, missing } = await vcenter.placement.sharedDatastores(refs, { signal });
      return {
        server: vcenter.server,
        ...(topology ? { topology } : {}),
        nodes: members.map(({ node }) => node.name),
        shared,
        missing,
        forbidden: await forbiddenOf(vcenter, shared, signal),
      };
    });
  };

  return {
    invalidate: () => {
      vmsCache.clear();
      factsCache.clear();
      files.clear();
    },
    place: async ({ datastoreUrl, datastoreName, kind, topologies }, { signal }) => {
      const vms = await nodeVms(signal);
      const all = groupsOf(vcenters, vms, topologies);
      if (all.length === 0 && vms.failures.length > 0) throw vms.failures[0];
      if (topologies.length === 0 && all.length > 1) throw spread(all.map(({ vcenter }) => vcenter.server));
      const groups = await ableOf(all, kind === 'file' ? shareFeatures : [], { signal });
      const places = await Promise.all(groups.map((group) => factsOf(group, signal)));
      const sharedOn = places.map(({ server, shared }, index) => ({
        server,
        shared,
        fileServices: groups[index]?.vcenter.fileServices,
      }));
      const { place, datastores } = decidePlacement({
        ...(datastoreUrl === undefined ? {} : { datastoreUrl }),
        ...(datastoreName === undefined ? {} : { datastoreName }),
        ...(kind === 'file' ? { unfit: await files.unfit(sharedOn, signal) } : {}),
        places,
        lostNodes: vms.lost,
        asked: { topologies, unlabelled: unlabelledOf(vms, topologies) },
      });
      const group = groups[places.indexOf(place)];
      if (!group) throw spread([place.server]);
      const { vcenter, topology, members } = group;
      if (!topology) return { vcenter, datastores };
      const segments = new Set([...Object.values(topology), ...segmentsAround(members, deps.topologyLabels ?? [])]);
      const preferred = await preferences.among(vcenter, { datastores, shared: place.shared, segments }, { signal });
      return { vcenter, datastores, topology, preferred };
    },
  };
};
