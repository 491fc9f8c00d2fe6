import type { Tagging } from '../rest/tagging.ts';
import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { type Ancestors, readAncestors } from './ancestors.ts';
import type { VmFacts } from './node-inventory.ts';
import type { NodePlaces } from './node-places.ts';
import type { TopologyCategories, TopologyReader } from './topology-reader.ts';

const chain = (ancestors: Ancestors, start: MoRef | undefined): readonly MoRef[] => {
  const found: MoRef[] = [];
  const seen = new Set<string>();
  for (let at = start; at && !seen.has(morefKey(at)); at = ancestors.get(morefKey(at))?.parent) {
    seen.add(morefKey(at));
    found.push(at);
  }
  return found;
};

/** In the order in which tags are searched: the host and its ancestors, then the resource pools, then the folders. */
const ancestry = (ancestors: Ancestors, vm: VmFacts): readonly MoRef[] => {
  const all = [vm.host, vm.resourcePool, vm.folder].flatMap((start) => chain(ancestors, start));
  return [...new Map(all.map((one) => [morefKey(one), one])).values()];
};

/** For each topology key, the tag of the nearest ancestor that has a tag of the category. */
const pick = (
  ancestors: readonly MoRef[],
  categories: TopologyCategories,
  tagOf: (object: MoRef, category: string) => string | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(categories).flatMap(([key, category]) => {
      for (const object of ancestors) {
        const tag = tagOf(object, category);
        if (tag !== undefined) return [[key, tag]];
      }
      return [];
    }),
  );

/** Gets the ancestors from the watch, or with SOAP if the watch does not run, and reads the tags with REST, for all VMs together. */
export const createTopologyReader = (session: VimSession, tagging: Tagging, places: NodePlaces): TopologyReader => {
  /** Object → category name → tag name. Of several tags of one category the first by name is used. */
  const readTags = async (objects: readonly MoRef[], options: CallOptions) => {
    const attached = await tagging.attached(objects, options);
    const tags = await tagging.tags([...attached.values()].flat(), options);
    const categories = await tagging.categories(
      [...tags.values()].map(({ categoryId }) => categoryId),
      options,
    );
    const byObject = new Map<string, Map<string, string>>();
    for (const [object, ids] of attached) {
      const known = ids.flatMap((id) => tags.get(id) ?? []).sort((a, b) => b.name.localeCompare(a.name));
      byObject.set(object, new Map(known.map(({ name, categoryId }) => [categories.get(categoryId) ?? '', name])));
    }
    return byObject;
  };

  return {
    locate: async (vms, categories, options = {}) => {
      if (vms.length === 0 || Object.keys(categories).length === 0) return new Map(vms.map((vm) => [vm.ref.value, {}]));
      const starts = vms.flatMap(({ host, resourcePool, folder }) => [host, resourcePool, folder]);
      const known = starts.filter((one) => one !== undefined);
      const parents = places.ancestors(known) ?? (await readAncestors(session, known, options));
      const ancestries = vms.map((vm) => [vm, ancestry(parents, vm)] as const);
      const objects = new Map(ancestries.flatMap(([, ancestors]) => ancestors.map((one) => [morefKey(one), one])));
      const tags = await readTags([...objects.values()], options);
      return new Map(
        ancestries.map(([vm, ancestors]) => [
          vm.ref.value,
          pick(ancestors, categories, (object, category) => tags.get(morefKey(object))?.get(category)),
        ]),
      );
    },
  };
};
