import { isVdoError } from '@vdo/base/vdo-error';
import { vcenterVersionOf } from '@vdo/config/product-version';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { inventoryPath } from '../../shared/vsphere/inventory.ts';

/** The choices that vCenter offers, as far as the account can see them. */
export interface LiveLists {
  readonly version: string;
  /** Inventory paths. */
  readonly datacenters: readonly string[];
  readonly datastores: readonly {
    readonly name: string;
    readonly url: string;
    readonly type: string;
    readonly freeBytes: bigint;
  }[];
  readonly policies: readonly string[];
  readonly categories: readonly string[];
  readonly networks: readonly string[];
}

const networkTypes = ['Network', 'DistributedVirtualPortgroup', 'OpaqueNetwork'];

const ofTypes = (tree: Ancestors, types: readonly string[]) =>
  [...tree.values()].filter(({ ref }) => types.includes(ref.type));

/** If the account may not list something, the user is asked for its name instead. */
const orNone = async <T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await read();
  } catch (error) {
    if (isVdoError(error, 'VCenterPermissionDenied')) return [];
    throw error;
  }
};

export const readLiveLists = async (
  { about, inventory, health, policies }: Pick<FullVCenter, 'about' | 'inventory' | 'health' | 'policies'>,
  signal: AbortSignal,
): Promise<LiveLists> => {
  const tree = await inventory.read(['Datacenter', 'Datastore', 'Network'], { signal });
  const refs = ofTypes(tree, ['Datastore']).map(({ ref }) => ref);
  const [info, datastores, names, categories] = await Promise.all([
    about({ signal }),
    health.datastores(refs, { signal }),
    orNone(async () => (await policies.list({ signal })).map(({ name }) => name)),
    orNone(() => health.categories({ signal })),
  ]);
  const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();
  return {
    version: vcenterVersionOf(info),
    datacenters: sorted(ofTypes(tree, ['Datacenter']).map(({ ref }) => inventoryPath(tree, ref))),
    datastores: [...datastores.values()].toSorted((left, right) => left.name.localeCompare(right.name)),
    policies: sorted(names),
    categories: sorted(categories),
    networks: sorted(ofTypes(tree, networkTypes).map(({ name }) => name)),
  };
};
