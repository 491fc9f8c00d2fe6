import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { labelKeys, topologyLabelPrefix } from '@vdo/config/names';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { TopologyFacts } from '../facts/vcenter-facts.ts';

/** A tag category and the node label that carries it. */
export interface Category {
  readonly name: string;
  readonly label: string;
}

/** All categories of the spec: region and zone for the cloud controller manager, the others for storage. */
export const categoriesOf = ({ topology }: Pick<VSphereDriversSpec, 'topology'>): readonly Category[] => {
  const { region, zone, categories = [] } = topology ?? {};
  const all: readonly Category[] = [
    ...(region === undefined ? [] : [{ name: region, label: labelKeys.region }]),
    ...(zone === undefined ? [] : [{ name: zone, label: labelKeys.zone }]),
    ...categories.map(({ name, label = `${topologyLabelPrefix}${name}` }) => ({ name, label })),
  ];
  return [...new Map(all.map((category) => [`${category.name} ${category.label}`, category])).values()];
};

/** The labels that the storage driver uses to place volumes. */
export const storageLabelsOf = ({ topology }: Pick<VSphereDriversSpec, 'topology'>): readonly string[] => {
  if (!topology) return [];
  const own =
    topology.categories.length > 0 ? { topology: { ...topology, region: undefined, zone: undefined } } : { topology };
  return categoriesOf(own as Pick<VSphereDriversSpec, 'topology'>).map(({ label }) => label);
};

type Place = Pick<VmFacts, 'host' | 'resourcePool' | 'folder'>;

const chain = ({ ancestors }: Pick<TopologyFacts, 'ancestors'>, start: MoRef | undefined): readonly string[] => {
  const keys: string[] = [];
  for (let at = start; at && !keys.includes(morefKey(at)); at = ancestors.get(morefKey(at))?.parent)
    keys.push(morefKey(at));
  return keys;
};

/** A tag of a category and the object that carries it. */
export interface FoundTag {
  readonly tag: string;
  /** By `morefKey`. */
  readonly object: string;
}

/** The tags of a category on everything above a VM, nearest first: host, resource pool and folder upwards. */
export type TagsAbove = (vm: Place, category: string) => readonly FoundTag[];

/** Many VMs have the same ancestors: the result for one is reused for the others. */
export const createTagsAbove = (topology: TopologyFacts): TagsAbove => {
  const known = new Map<string, readonly (FoundTag & { readonly category: string })[]>();
  const placeOf = ({ host, resourcePool, folder }: Place): string =>
    `${host?.value} ${resourcePool?.value} ${folder?.value}`;
  const find = ({ host, resourcePool, folder }: Place) => {
    const keys = new Set([host, resourcePool, folder].flatMap((start) => chain(topology, start)));
    return [...keys].flatMap((object) => (topology.tags.get(object) ?? []).map((one) => ({ ...one, object })));
  };
  return (vm, category) => {
    const place = placeOf(vm);
    const found = known.get(place) ?? find(vm);
    known.set(place, found);
    return found.filter((one) => one.category === category);
  };
};

/** The inventory path of an object, as used by govc. */
export const pathOf = ({ ancestors }: Pick<TopologyFacts, 'ancestors'>, key: string): string => {
  const entry = ancestors.get(key);
  if (!entry) return '';
  return entry.parent ? `${pathOf({ ancestors }, morefKey(entry.parent))}/${entry.name}` : '';
};
