import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import { VdoError } from '@vdo/base/vdo-error';
import { assertOffers } from '../placement/offered.ts';
import type { PolicyFilter } from '../placement/policy-filter.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import type { VolumeService } from './volume.ts';
import { volumeNotFound } from './volume-not-found.ts';

/** Modifies volumes, also while they are in use. Idempotent. */
export type ModifyVolume = (volumeId: string, change: MutableParameters, context: CallContext) => Promise<void>;

/** The supported parameters of a VolumeAttributesClass. */
export interface MutableParameters {
  readonly storagePolicyName?: string;
}

const key = 'storagepolicyname';

const invalid = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeParametersInvalid', message, remedy });

/** Reads the parameters of a VolumeAttributesClass: keys are case-insensitive, unknown keys are refused. */
export const readMutableParameters = (parameters: Readonly<Record<string, string>>): MutableParameters => {
  const entries = Object.entries(parameters);
  const stranger = entries.find(([name]) => name.toLowerCase() !== key);
  if (stranger)
    throw invalid(
      `VolumeAttributesClass parameter ${stranger[0]} cannot be changed on an existing volume`,
      `Re-create the VolumeAttributesClass with only the parameter ${key}.`,
    );
  const [first, second] = entries;
  if (second) throw invalid(`parameter ${key} is set twice, with different capitalization`, 'Remove one of them.');
  if (!first) return {};
  if (first[1].trim() === '')
    throw invalid(
      `VolumeAttributesClass parameter ${first[0]} is empty`,
      'Set it to the name of a storage policy in vCenter.',
    );
  return { storagePolicyName: first[1] };
};

export interface ModifyServiceDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly volumes: Pick<VolumeService, 'find'>;
  readonly policies: PolicyFilter;
}

/** Applies another storage policy to volumes. The data is not moved: a policy that the datastore cannot satisfy is refused. */
export const createModifyVolume = ({ vcenters, volumes, policies }: ModifyServiceDeps): ModifyVolume => {
  const locks = createKeyedLock();
  return (volumeId, { storagePolicyName }, context) =>
    locks.join(volumeId, storagePolicyName ?? '', async () => {
      const { lifetime: signal, fence } = context;
      const volume = await volumes.find(volumeId, context);
      if (!volume) throw volumeNotFound(volumeId);
      if (storagePolicyName === undefined) return;
      const vcenter = vcenterOf(vcenters, volume);
      const policyId = await policies.idOf(vcenter, storagePolicyName, { signal });
      if (volume.storagePolicyId === policyId) return;
      await assertOffers(vcenter, 'policy-change', { signal });
      await vcenter.cns.changePolicy(volumeId, policyId, { signal, fence });
    });
};
