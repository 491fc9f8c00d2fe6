import { type Clock, deadline } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { vcenterVersionOf } from '@vdo/config/product-version';
import { featureLack, offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';
import type { VCenter } from '@vdo/vsphere/vcenter';

type Asked = Pick<VCenter, 'server' | 'product'>;

/** The first of these features that the vCenter lacks, as a sentence. The version is read from its session, so that an upgrade of vCenter takes effect immediately. */
export const lackOn = async (
  vcenter: Asked,
  features: readonly VCenterFeatureId[],
  options: { readonly signal: AbortSignal },
): Promise<string | undefined> => {
  if (features.length === 0) return undefined;
  const version = vcenterVersionOf(await vcenter.product(options));
  const lacking = features.find((feature) => !offersFeature(version, feature));
  return lacking && featureLack(lacking, version, vcenter.server);
};

/** Throws VCenterVersionUnsupported if the vCenter that has or would get the volume is too old. This is checked before anything is changed. */
export const assertOffers = async (
  vcenter: Asked,
  feature: VCenterFeatureId,
  options: { readonly signal: AbortSignal },
): Promise<void> => {
  const lack = await lackOn(vcenter, [feature], options);
  if (lack === undefined) return;
  throw new VdoError({
    code: 'VCenterVersionUnsupported',
    message: lack,
    remedy: `Upgrade vCenter ${vcenter.server}, or do not use this feature. docs/reference/vcenter-features.md lists the features of each version.`,
    effect: 'none',
    details: { feature },
  });
};

/** How long sidecars wait for the version of a vCenter; they ask once, at their start. */
const patienceMs = 5_000;

/** Whether one of the vCenters may have the feature. One that does not answer counts as yes, because it is checked again for each volume. */
export const createOffers = ({ vcenters, clock }: { readonly vcenters: readonly VCenter[]; readonly clock: Clock }) => {
  const versionOf = async (vcenter: VCenter, parent: AbortSignal): Promise<string> => {
    const limit = deadline(clock, patienceMs, { parent, reason: () => new Error('no answer') });
    try {
      return vcenterVersionOf(await vcenter.about({ signal: limit.signal }));
    } catch {
      parent.throwIfAborted();
      return '';
    } finally {
      limit.dispose();
    }
  };
  return async (features: readonly VCenterFeatureId[], { signal }: { readonly signal: AbortSignal }) => {
    const versions = await Promise.all(vcenters.map((vcenter) => versionOf(vcenter, signal)));
    return new Set(features.filter((feature) => versions.some((version) => offersFeature(version, feature))));
  };
};

export type Offers = ReturnType<typeof createOffers>;
