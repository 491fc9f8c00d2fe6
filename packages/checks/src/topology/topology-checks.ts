import { morefKey } from '@vdo/vsphere/wire/moref';
import { quoted } from '../administrator.ts';
import { type Check, type CheckObject, fail, pass, skipped, unknown, type Verdict } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { TopologyFacts, VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts, NodeFacts } from '../facts.ts';
import { isTainted, nodeObject } from '../node-object.ts';
import { vcenterObject } from '../vcenter/reachability.ts';
import { type Category, categoriesOf, createTagsAbove, pathOf, type TagsAbove } from './categories.ts';

const notRead = 'vcenter/answers and credentials/login';
const none = (object: CheckObject): Verdict => skipped(object, 'spec.topology is not set');

const judgeCategories = (facts: VCenterFacts, { spec }: ClusterFacts): Verdict => {
  const object = vcenterObject(facts);
  if (categoriesOf(spec).length === 0) return none(object);
  if (!facts.topology) return unknown(object, 'its tags were not read', notRead);
  if ('error' in facts.topology) {
    const { code: reason, message, remedy } = facts.topology.error;
    return { result: 'Unknown', reason, message, remedy, object };
  }
  const missing = facts.topology.value.missingCategories;
  if (missing.length === 0) return pass(object, 'every tag category of spec.topology exists');
  return fail(object, {
    reason: 'CategoryMissing',
    message: `it has no tag category ${missing.join(', ')}, which spec.topology uses`,
    remedy: 'Correct spec.topology, or create the missing categories:',
    commands: missing.map(
      (name) => `govc tags.category.create -t Datacenter -t ClusterComputeResource -t HostSystem ${quoted(name)}`,
    ),
  });
};

interface Found {
  readonly topology: TopologyFacts;
  readonly tagsAbove: TagsAbove;
}

/** The nodes with the tags above their VMs; those that cannot be judged get a verdict with the reason. */
const perNode =
  (judge: (facts: NodeFacts, found: Found, categories: readonly Category[]) => Verdict) =>
  ({ nodes, vcenters, spec }: ClusterFacts): readonly Verdict[] => {
    const categories = categoriesOf(spec);
    const known = new Map(
      vcenters.flatMap((facts) => {
        const topology = valueIn(facts.topology);
        return topology ? [[facts.server, { topology, tagsAbove: createTagsAbove(topology) }] as const] : [];
      }),
    );
    return nodes.map((facts) => {
      const object = nodeObject(facts);
      if (categories.length === 0) return none(object);
      if (!facts.vm) return unknown(object, 'the VM of the node is unknown', 'node/vm-found');
      const found = known.get(facts.vm.server);
      return found
        ? judge(facts, found, categories)
        : unknown(object, 'the tags above its VM were not read', 'topology/categories-exist');
    });
  };

const judgeTags = (facts: NodeFacts, { topology, tagsAbove }: Found, categories: readonly Category[]): Verdict => {
  const object = nodeObject(facts);
  const { vm } = facts;
  if (!vm) return unknown(object, 'the VM of the node is unknown', 'node/vm-found');
  const found = categories.map(({ name }) => ({ name, tags: tagsAbove(vm, name) }));
  const host = vm.host ? pathOf(topology, morefKey(vm.host)) : '';
  const missing = found.filter(({ tags }) => tags.length === 0).map(({ name }) => name);
  if (missing.length > 0)
    return fail(object, {
      reason: 'TagMissing',
      message: `no object above VM ${vm.name} has a tag of category ${missing.join(', ')}; its host is ${host}`,
      remedy: missing
        .map(
          (name) =>
            `govc tags.create -c '${name}' TAG; govc tags.attach -c '${name}' TAG '${host.split('/').slice(0, -1).join('/') || host}'`,
        )
        .join('; '),
    });
  const several = found.find(({ tags }) => new Set(tags.map(({ tag }) => tag)).size > 1);
  if (!several) return pass(object, found.map(({ name, tags }) => `${name} is ${tags[0]?.tag}`).join(', '));
  const places = several.tags.map(({ tag, object: key }) => `${tag} on ${pathOf(topology, key)}`);
  // The nearest tag: objects further up are above other nodes too.
  const [nearest] = several.tags;
  return fail(object, {
    reason: 'TagAmbiguous',
    message: `VM ${vm.name} has several tags of category ${several.name} above it: ${places.join(', ')}; expected one`,
    remedy: 'Keep one of them. To remove the tag nearest to the VM:',
    commands: [
      `govc tags.detach -c ${quoted(several.name)} ${quoted(nearest?.tag ?? '')} ${quoted(pathOf(topology, nearest?.object ?? ''))}`,
    ],
  });
};

const judgeLabels = (facts: NodeFacts, { tagsAbove }: Found, categories: readonly Category[]): Verdict => {
  const object = nodeObject(facts);
  const { vm, node } = facts;
  if (!vm) return unknown(object, 'the VM of the node is unknown', 'node/vm-found');
  if (isTainted(facts)) return unknown(object, 'the node is not initialized yet', 'node/taint-stuck');
  const wanted = categories.map(({ name, label }) => ({ label, tag: tagsAbove(vm, name)[0]?.tag }));
  if (wanted.some(({ tag }) => tag === undefined))
    return unknown(object, 'not all of its tags are known', 'topology/tags-in-ancestry');
  const wrong = wanted.filter(({ label, tag }) => node.metadata.labels?.[label] !== tag);
  if (wrong.length === 0) return pass(object, 'its labels match its tags');
  const reported = wrong.map(
    ({ label, tag }) => `${label} is ${node.metadata.labels?.[label] ?? 'not set'}, expected ${tag}`,
  );
  // Nothing was placed by labels that never existed: no pod has to move when they are set.
  if (wrong.every(({ label }) => node.metadata.labels?.[label] === undefined))
    return fail(object, {
      reason: 'LabelsMissing',
      message: `${reported.join('; ')}: no cloud controller manager has set them`,
      remedy:
        'The cloud controller manager (spec.cpi) sets them on nodes that it initializes. To set them on this node:',
      commands: [`kubectl label node ${object.name} ${wrong.map(({ label, tag }) => `${label}=${tag}`).join(' ')}`],
    });
  return fail(object, {
    reason: 'LabelsDiffer',
    message: `${reported.join('; ')}: VM ${vm.name} was moved, or its tags were changed`,
    remedy:
      'Move the VM back (its volumes stay where they are), or move its pods away and correct the labels (data of emptyDir volumes is lost):',
    commands: [
      `kubectl drain ${object.name} --ignore-daemonsets --delete-emptydir-data`,
      `kubectl label node ${object.name} --overwrite ${wrong.map(({ label, tag }) => `${label}=${tag}`).join(' ')}`,
      `kubectl uncordon ${object.name}`,
    ],
  });
};

export const topologyChecks: readonly Check[] = [
  {
    id: 'topology/categories-exist',
    title: 'The tag categories of the topology exist on every vCenter.',
    meaning: 'Without the category hosts cannot have zones, and volumes cannot be placed by zone.',
    remedy:
      '`govc tags.category.create -t Datacenter -t ClusterComputeResource -t HostSystem NAME`, or correct `spec.topology`.',
    action: 'BlockInstall',
    judge: (cluster) => cluster.vcenters.map((facts) => judgeCategories(facts, cluster)),
  },
  {
    id: 'topology/tags-in-ancestry',
    title: 'Each node VM has exactly one tag of each category on the objects above it.',
    meaning: 'A node without a zone gets no zonal volumes; with two zones its zone is ambiguous.',
    remedy:
      '`govc tags.attach -c CATEGORY TAG PATH` on the host, cluster or datacenter; `govc tags.detach` removes a surplus tag.',
    action: 'BlockUpgrade',
    judge: perNode(judgeTags),
  },
  {
    id: 'topology/labels-match',
    title: 'The topology labels of each node match the tags above its VM.',
    meaning: 'Pods and volumes are placed by labels, but disks are attached by hosts: if they differ, attaching fails.',
    remedy:
      'Move the VM back, or drain the node and correct its labels: `kubectl label node NAME --overwrite LABEL=TAG`, then restart its `vsphere-csi-node` pod.',
    action: 'BlockUpgrade',
    judge: perNode(judgeLabels),
  },
];
