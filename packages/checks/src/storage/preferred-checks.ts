import { preferredDatastoresCategory } from '@vdo/config/names';
import type { DatastoreHealth } from '@vdo/vsphere/health/health-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { quoted } from '../administrator.ts';
import { type Check, type CheckObject, pass, skipped, type Verdict, warn } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { TopologyFacts, VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, few, notRead } from '../not-read.ts';
import { categoriesOf, createTagsAbove } from '../topology/categories.ts';
import { vcenterObject } from '../vcenter/reachability.ts';
import { placesOf, vmsOn } from './segments.ts';

const because = 'vcenter/answers, credentials/login and topology/categories-exist';

/** The names of all segments in which the nodes of a vCenter are. */
const segmentNames = (topology: TopologyFacts, facts: VCenterFacts, cluster: ClusterFacts): readonly string[] => {
  const tagsAbove = createTagsAbove(topology);
  const categories = categoriesOf(cluster.spec);
  const found = vmsOn(facts.server, cluster).flatMap((vm) =>
    categories.flatMap(({ name }) => tagsAbove(vm, name)[0]?.tag ?? []),
  );
  return [...new Set(found)].sort();
};

interface Seen {
  readonly datastore: DatastoreHealth;
  readonly tags: readonly string[];
  /** Segments of the nodes on this vCenter. */
  readonly segments: readonly string[];
  /** Names of the segments, such as `region-1/zone-a`, whose nodes all reach the datastore. */
  readonly reachable: readonly string[];
}

const detach = ({ datastore }: Seen, tag: string): string =>
  `govc tags.detach -c ${quoted(preferredDatastoresCategory)} ${quoted(tag)} "$(govc find / -type s -name ${quoted(datastore.name)})"`;

const judge = (seen: Seen): Verdict => {
  const { datastore, tags, segments, reachable } = seen;
  const object: CheckObject = { kind: 'Datastore', name: datastore.name };
  const nowhere = tags.filter((tag) => !segments.includes(tag));
  if (nowhere.length > 0)
    return warn(object, {
      reason: 'PreferredNowhere',
      message: `a tag prefers datastore ${datastore.name} in ${few(nowhere)}, but no node is there: the nodes are in ${few(segments)}`,
      remedy: 'Attach the tag with the name of a region or zone of the nodes. To remove the one without effect:',
      commands: nowhere.map((tag) => detach(seen, tag)),
    });
  const unreached = tags.filter((tag) => !reachable.some((name) => name.split('/').includes(tag)));
  if (unreached.length > 0)
    return warn(object, {
      reason: 'PreferredNotShared',
      message: `a tag prefers datastore ${datastore.name} in ${few(unreached)}, but the hosts of the nodes there do not all mount it, so that volumes go to other datastores`,
      remedy: 'Mount it on the hosts of all nodes there, or remove the tag:',
      commands: unreached.map((tag) => detach(seen, tag)),
    });
  return pass(object, `it is preferred in ${few(tags)}`);
};

const judgeVCenter = (facts: VCenterFacts, cluster: ClusterFacts): readonly Verdict[] => {
  const object = vcenterObject(facts);
  const [preferred, topology] = [valueIn(facts.preferred), valueIn(facts.topology)];
  const datastores = valueIn(facts.places)?.datastores;
  if (!preferred || !topology || !datastores)
    return [notRead(object, facts.preferred, 'the tags of its datastores', because)];
  const segments = segmentNames(topology, facts, cluster);
  const places = placesOf(facts, cluster) ?? [];
  const verdicts = datastores.flatMap((datastore) => {
    const key = morefKey(datastore.ref);
    const tags = preferred.get(key);
    const reaching = places.filter(({ shared }) => shared.some(({ ref }) => morefKey(ref) === key));
    const reachable = reaching.map(({ segment }) => segment.name);
    return tags ? [judge({ datastore, tags, segments, reachable })] : [];
  });
  return verdicts.length > 0 ? verdicts : [pass(object, 'no tag prefers a datastore')];
};

export const preferredDatastoresCheck: Check = {
  id: 'storage/preferred-datastores',
  title: `A datastore with a tag of category \`${preferredDatastoresCategory}\` is used in the region or zone that the tag names.`,
  meaning: 'The tag has no effect: volumes go to any datastore that the nodes share.',
  remedy: 'Give the tag the name of a region or zone, and mount the datastore on the hosts of all nodes there.',
  action: 'None',
  judge: (cluster) => {
    if (!cluster.spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
    if (categoriesOf(cluster.spec).length === 0) return [skipped(driversObject, 'spec.topology is not set')];
    return cluster.vcenters.flatMap((facts) => judgeVCenter(facts, cluster));
  },
};
