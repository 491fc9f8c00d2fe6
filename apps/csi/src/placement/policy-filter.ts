import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import type { StoragePolicies } from '@vdo/vsphere/policy/storage-policies';
import { createVersionedCache } from './versioned-cache.ts';

/** A storage policy and the candidates that satisfy it. */
export interface PolicyChoice {
  readonly policyId: string;
  /** At least one. */
  readonly datastores: readonly DatastoreFacts[];
}

interface PolicyHolder {
  readonly server: string;
  readonly policies: StoragePolicies;
}

export interface PolicyFilter {
  /** Throws VolumeParametersInvalid for a policy that does not exist. */
  idOf(vcenter: PolicyHolder, policyName: string, options: { readonly signal: AbortSignal }): Promise<string>;
  /** Throws VolumeParametersInvalid for a policy that does not exist, VolumeNoDatastore with the reasons if none satisfies it. */
  choose(
    vcenter: PolicyHolder,
    policyName: string,
    datastores: readonly DatastoreFacts[],
    options: { readonly signal: AbortSignal },
  ): Promise<PolicyChoice>;
}

const noneFits = (policyName: string, server: string, reasons: readonly string[]): VdoError =>
  new VdoError({
    code: 'VolumeNoDatastore',
    message: `no datastore that all nodes can access satisfies the storage policy ${policyName} on vCenter ${server}: ${reasons.join('; ')}`,
    remedy: 'Tag or configure one of these datastores so that it satisfies the policy, or use another policy.',
    details: { server, policyName },
  });

/** Reads policies from vCenter, and caches the answers for a minute, because volumes of one class are often created in large numbers. */
export const createPolicyFilter = ({ clock }: { readonly clock: Clock }): PolicyFilter => {
  const ids = createVersionedCache<string>({ clock, maxAgeMs: 60_000 });
  const fits = createVersionedCache<PolicyChoice>({ clock, maxAgeMs: 60_000 });
  const idOf: PolicyFilter['idOf'] = ({ server, policies }, policyName, { signal }) =>
    ids.get(`${server}/${policyName}`, '', async () => (await policies.find(policyName, { signal })).id);
  return {
    idOf,
    choose: async (vcenter, policyName, datastores, { signal }) => {
      const { server, policies } = vcenter;
      const key = `${server}/${policyName}`;
      const policyId = await idOf(vcenter, policyName, { signal });
      const refs = datastores.map(({ ref }) => ref);
      const version = refs.map(({ value }) => value).join(' ');
      return fits.get(key, version, async () => {
        const { compatible, reasons } = await policies.placement(policyId, refs, { signal });
        const allowed = new Set(compatible.map(({ value }) => value));
        const fitting = datastores.filter(({ ref }) => allowed.has(ref.value));
        if (fitting.length > 0) return { policyId, datastores: fitting };
        const why = datastores.map(({ name, ref }) => `${name}: ${reasons.get(ref.value) ?? 'not compatible'}`);
        throw noneFits(policyName, server, why);
      });
    },
  };
};
