import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { findByPath, inventoryPath } from '../../../shared/vsphere/inventory.ts';
import { parseAssignment, type TagFacts, tagNameFor, type WantedTag } from './tag-plan.ts';

export interface TagFlags {
  readonly regionCategory: string;
  readonly zoneCategory: string;
  readonly region: readonly string[];
  readonly zone: readonly string[];
}

const regionTypes = ['Datacenter', 'Folder', 'ClusterComputeResource'];
const zoneTypes = ['ClusterComputeResource', 'HostSystem', 'Datacenter', 'Folder', 'ResourcePool'];

/** Object types that a category can be used for. */
export const taggedTypes = [...new Set([...regionTypes, ...zoneTypes])];

export const readTagTree = ({ inventory }: Pick<FullVCenter, 'inventory'>, signal: AbortSignal): Promise<Ancestors> =>
  inventory.read(['Datacenter', 'Folder', 'ComputeResource', 'HostSystem', 'ResourcePool'], { signal });

/** From the flags; without any, each datacenter is a region and each cluster a zone, with the same name. */
export const wantedTags = (tree: Ancestors, flags: TagFlags): readonly WantedTag[] => {
  const given = (
    texts: readonly string[],
    flag: string,
    wanted: { readonly category: string; readonly types: readonly string[] },
  ) =>
    texts.map((text): WantedTag => {
      const { path, tag } = parseAssignment(text, flag);
      const ref = findByPath(tree, path, { types: wanted.types, flag });
      return { ref, path: inventoryPath(tree, ref), category: wanted.category, tag };
    });
  const proposed = (type: string, category: string): readonly WantedTag[] =>
    [...tree.values()]
      .filter(({ ref }) => ref.type === type)
      .map(({ ref, name }) => ({ ref, path: inventoryPath(tree, ref), category, tag: tagNameFor(name) }))
      .toSorted((left, right) => left.path.localeCompare(right.path));
  const { regionCategory, zoneCategory, region, zone } = flags;
  if (region.length + zone.length === 0)
    return [...proposed('Datacenter', regionCategory), ...proposed('ClusterComputeResource', zoneCategory)];
  return [
    ...given(region, '--region', { category: regionCategory, types: regionTypes }),
    ...given(zone, '--zone', { category: zoneCategory, types: zoneTypes }),
  ];
};

/** The existing tags of the requested categories. */
export const readTagFacts = async (
  { tags, health }: Pick<FullVCenter, 'tags' | 'health'>,
  wanted: readonly WantedTag[],
  signal: AbortSignal,
): Promise<TagFacts> => {
  const names = new Set(wanted.map(({ category }) => category));
  const found = new Map<string, readonly string[]>();
  for (const { id, name } of await tags.categories({ signal }))
    if (names.has(name))
      found.set(
        name,
        (await tags.tagsIn(id, { signal })).map((tag) => tag.name),
      );
  const onObjects = await health.tags(
    wanted.map(({ ref }) => ref),
    { signal },
  );
  return { tags: found, onObjects };
};
