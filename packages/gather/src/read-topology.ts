import { attempt, type Reading } from '@vdo/checks/facts/reading';
import type { TopologyFacts } from '@vdo/checks/facts/vcenter-facts';
import { categoriesOf } from '@vdo/checks/topology/categories';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import type { HealthVCenter } from './gather-deps.ts';

/** Everything above the node VMs: one call per level of the inventory. */
export const readAncestry = (
  vcenter: HealthVCenter,
  vms: readonly VmHealth[],
  signal: AbortSignal,
): Promise<Reading<Ancestors>> => {
  const starts = vms.flatMap(({ host, folder, resourcePool }) => [host, folder, resourcePool]);
  const refs = starts.filter((ref) => ref !== undefined);
  return attempt(() => vcenter.health.ancestors(refs, { signal }), signal);
};

/** The tags of these objects, in batches; the list of categories only if one of ours is not used on any object. */
export const readTopology = async (
  vcenter: HealthVCenter,
  ancestry: Reading<Ancestors>,
  options: { readonly spec: VSphereDriversSpec; readonly signal: AbortSignal },
): Promise<Reading<TopologyFacts>> => {
  if ('error' in ancestry) return ancestry;
  const { signal } = options;
  return attempt(async () => {
    const ancestors = ancestry.value;
    const tags = await vcenter.health.tags(
      [...ancestors.values()].map(({ ref }) => ref),
      { signal },
    );
    const seen = new Set([...tags.values()].flat().map(({ category }) => category));
    const unseen = [...new Set(categoriesOf(options.spec).map(({ name }) => name))].filter((name) => !seen.has(name));
    const all = unseen.length === 0 ? [] : await vcenter.health.categories({ signal });
    return { ancestors, tags, missingCategories: unseen.filter((name) => !all.includes(name)) };
  }, signal);
};
