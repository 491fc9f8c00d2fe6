import type { Random } from '@vdo/base/random';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { PolicyModel } from '../model.ts';
import type { ObjectStore } from '../state/object-store.ts';
import { readPath } from '../state/property-path.ts';

export interface Policy {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isDefault: boolean;
  fits(datastore: { readonly name: string; readonly type: string }): boolean;
}

/** The storage policies of a vCenter. */
export interface Policies {
  list(): readonly Policy[];
  get(id: string): Policy | undefined;
  /** True if a volume with this policy may be on the datastore. */
  isCompatible(policy: Policy, datastore: MoRef): boolean;
}

/** Every vCenter has this policy, with this ID. */
const vsanDefault: Policy = {
  id: 'aa6d5a82-1c88-45da-85d3-3d74b91a5bad',
  name: 'vSAN Default Storage Policy',
  description: 'Storage policy used as default for vSAN datastores',
  isDefault: true,
  fits: ({ type }) => type === 'vsan',
};

const fromModel = (model: PolicyModel, random: Random): Policy => ({
  id: model.id ?? random.uuid(),
  name: model.name,
  description: '',
  isDefault: false,
  fits: ({ name }) => model.datastores.includes(name),
});

export const createPolicies = (
  models: readonly PolicyModel[],
  deps: { readonly store: ObjectStore; readonly random: Random },
): Policies => {
  const policies = [vsanDefault, ...models.map((model) => fromModel(model, deps.random))];
  return {
    list: () => policies,
    get: (id) => policies.find((policy) => policy.id === id),
    isCompatible: (policy, datastore) => {
      const properties = deps.store.get(datastore)?.properties ?? {};
      return policy.fits({ name: String(properties['name']), type: String(readPath(properties, 'summary.type')) });
    },
  };
};
