import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import { valueIn } from '../facts/reading.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { categoriesOf, createTagsAbove } from '../topology/categories.ts';
import { type Segment, type SharedDatastores, sharedDatastores } from './shared-datastores.ts';

type Cluster = Pick<ClusterFacts, 'spec' | 'nodes'>;

/** The node VMs of one vCenter. */
export const vmsOn = (server: string, { nodes }: Pick<ClusterFacts, 'nodes'>): readonly VmHealth[] =>
  nodes.flatMap(({ vm }) => (vm?.server === server ? [vm] : []));

/** The node VMs of a vCenter grouped by zone if there is topology, otherwise in one group: the VMs of a group may share volumes. */
const segmentsOf = (facts: Pick<VCenterFacts, 'server' | 'topology'>, cluster: Cluster): readonly Segment[] => {
  const vms = vmsOn(facts.server, cluster);
  const topology = valueIn(facts.topology);
  const categories = categoriesOf(cluster.spec);
  if (categories.length === 0 || !topology) return vms.length > 0 ? [{ name: '', vms }] : [];
  const tagsAbove = createTagsAbove(topology);
  const byName = new Map<string, VmHealth[]>();
  for (const vm of vms) {
    const tags = categories.map(({ name }) => tagsAbove(vm, name)[0]?.tag ?? '?');
    const name = tags.join('/');
    const members = byName.get(name);
    if (members) members.push(vm);
    else byName.set(name, [vm]);
  }
  return [...byName].map(([name, members]) => ({ name, vms: members }));
};

/** The datastores shared by the nodes of each segment; undefined if the datastores are unknown. */
export const placesOf = (
  facts: Pick<VCenterFacts, 'server' | 'topology' | 'places'>,
  cluster: Cluster,
): readonly SharedDatastores[] | undefined => {
  const places = valueIn(facts.places);
  const datastores = places?.datastores;
  if (!places || !datastores) return undefined;
  return segmentsOf(facts, cluster).map((segment) => sharedDatastores(segment, places.hosts, datastores));
};
