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
}

export interface PlacementQuestion {
  readonly datastoreUrl?: string;
  /** In order of preference. */
  readonly places: readonly PlaceFacts[];
  /** Nodes whose VM was not found on any vCenter. */
  readonly lostNodes: readonly string[];
}

const usable = (datastore: DatastoreFacts): boolean => datastore.accessible && !datastore.maintenance;

const sameUrl = (left: string, right: string): boolean => left.replace(/\/+$/, '') === right.replace(/\/+$/, '');

const shorten = (items: readonly string[], max = 5): string =>
  items.length <= max ? items.join(', ') : `${items.slice(0, max).join(', ')} and ${items.length - max} more`;

const whyNot = (datastore: DatastoreFacts): string =>
  datastore.maintenance ? `${datastore.name} is in maintenance mode` : `${datastore.name} is not accessible`;

const explainPlace = (place: PlaceFacts, datastoreUrl: string | undefined): string => {
  const where = place.topology ? `in ${describeSegments(place.topology)} ` : '';
  const on = `${where}on vCenter ${place.server}`;
  const wanted = place.shared.find(({ url }) => datastoreUrl !== undefined && sameUrl(url, datastoreUrl));
  if (wanted) return `${on} ${whyNot(wanted)}`;
  const unusable = place.shared.filter((datastore) => !usable(datastore)).map(whyNot);
  const lacking = [...place.missing].map(([name, vms]) => `${name} is not mounted on the host of ${shorten(vms)}`);
  const others = place.shared.filter(usable).map(({ name, url }) => `${name} (${url})`);
  const asked = datastoreUrl === undefined ? 'no datastore' : `datastore ${datastoreUrl}`;
  const reached = datastoreUrl === undefined ? 'is reached by all' : 'is not reached by all';
  const details = [...lacking, ...unusable].slice(0, 10);
  return [
    `${on} ${asked} ${reached} of ${shorten(place.nodes)}`,
    ...(details.length > 0 ? [details.join('; ')] : []),
    ...(datastoreUrl !== undefined && others.length > 0 ? [`shared are ${shorten(others)}`] : []),
  ].join(': ');
};

const nothing = ({ places, lostNodes, datastoreUrl }: PlacementQuestion): VdoError => {
  const lost = lostNodes.length > 0 ? [`the VM of ${shorten(lostNodes)} was not found on any configured vCenter`] : [];
  const none = places.length === 0 && lost.length === 0 ? ['no node of the cluster is in the requested topology'] : [];
  return new VdoError({
    code: 'VolumeNoDatastore',
    message: [...places.map((place) => explainPlace(place, datastoreUrl)), ...lost, ...none].join('. '),
    remedy:
      datastoreUrl === undefined
        ? 'Mount one datastore on the hosts of all nodes, or configure topology so that volumes are placed per zone.'
        : 'Mount that datastore on the hosts named, or create a StorageClass with the URL of a shared one.',
    details: { lostNodes, servers: places.map(({ server }) => server) },
  });
};

/** The first place that has a datastore for the volume, with all that fit, most free space first. */
export const decidePlacement = (
  question: PlacementQuestion,
): { readonly place: PlaceFacts; readonly datastores: readonly DatastoreFacts[] } => {
  const { datastoreUrl, places } = question;
  for (const place of places) {
    const datastores = place.shared
      .filter(usable)
      .filter(({ url }) => datastoreUrl === undefined || sameUrl(url, datastoreUrl))
      .sort((a, b) => (a.freeBytes === b.freeBytes ? 0 : a.freeBytes < b.freeBytes ? 1 : -1));
    if (datastores.length > 0) return { place, datastores };
  }
  throw nothing(question);
};
