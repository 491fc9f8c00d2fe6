import { withoutTrailing } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import { describeSegments, type Segments } from './segments.ts';

/** What is known of one place (or of the whole cluster) on one vCenter. */
export interface PlaceFacts {
  readonly server: string;
  readonly topology?: Segments;
  /** Nodes whose VMs were found there. */
  readonly nodes: readonly string[];
  readonly shared: readonly DatastoreFacts[];
  /** Datastore name → VMs that lack it. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
  /** Datastores (by MoRef value) where the user may not create volumes, with the privilege he lacks. */
  readonly forbidden?: ReadonlyMap<string, string>;
}

export interface PlacementQuestion {
  readonly datastoreUrl?: string;
  readonly datastoreName?: string;
  /** Why a datastore cannot hold this kind of volume; undefined if it can. Default: any can. */
  readonly unfit?: (datastore: DatastoreFacts) => string | undefined;
  /** In order of preference. */
  readonly places: readonly PlaceFacts[];
  /** Nodes whose VM was not found on any vCenter. */
  readonly lostNodes: readonly string[];
  /** The places asked for, if any, and the labels that nodes have instead. */
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

/** Why a datastore that all nodes reach is of no use. */
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
  const reached = named ? 'is not reached by all' : unusable.length > 0 ? 'can be used by all' : 'is reached by all';
  const details = [...lacking, ...unusable].slice(0, 10);
  return [
    `${on} ${asked} ${reached} of ${shorten(place.nodes)}`,
    ...(details.length > 0 ? [details.join('; ')] : []),
    ...(named && others.length > 0 ? [`shared are ${shorten(others.map(({ name, url }) => `${name} (${url})`))}`] : []),
  ].join(': ');
};

const explainTopology = ({ asked }: PlacementQuestion): string => {
  const places = (asked?.topologies ?? []).map(describeSegments);
  const unlabelled = asked?.unlabelled ?? [];
  const lacking =
    unlabelled.length > 0 ? `: ${shorten(unlabelled)} carry no such label, so their hosts lack the tag` : '';
  return `no node of the cluster is in the requested topology (${shorten(places) || 'any'})${lacking}`;
};

const remedyFor = (question: PlacementQuestion): string => {
  const privilege = question.places.flatMap(({ forbidden }) => [...(forbidden?.values() ?? [])])[0];
  if (privilege) return `Grant ${privilege} on the datastores named to the user of the driver.`;
  const suspended = question.places
    .flatMap(({ shared }) => shared)
    .find((one) => one.suspended && isWanted(one, question));
  if (suspended)
    return `Resume ${suspended.name} (take the custom attribute cns.vmware.com/datastoreSuspended off it in vCenter), or mount another datastore on the hosts of all nodes.`;
  if (isNamed(question))
    return 'Mount that datastore on the hosts named, or create a StorageClass with the URL of a shared one.';
  return 'Mount one datastore on the hosts of all nodes, or configure topology so that volumes are placed per zone.';
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

/** The first place that has a datastore for the volume, with all that fit, most free space first. */
export const decidePlacement = (
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
