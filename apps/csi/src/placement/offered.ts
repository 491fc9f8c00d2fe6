import { type Clock, deadline } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { vcenterVersionOf } from '@vdo/config/product-version';
import { featureLack, offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';
import type { VCenter } from '@vdo/vsphere/vcenter';

type Asked = Pick<VCenter, 'server' | 'product'>;

/** What the vCenter lacks of these, as a sentence: the first. Its session is asked, so that a vCenter that was upgraded counts at once. */
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

/** Throws VCenterVersionUnsupported if the vCenter that has, or would get, the volume is too old. Nothing is begun before. */
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
    remedy: `Upgrade vCenter ${vcenter.server}, or do without: docs/reference/vcenter-features.md tells what each version has.`,
    effect: 'none',
    details: { feature },
  });
};

/** How long sidecars wait for what a vCenter is; they ask once, when they start. */
const patienceMs = 5_000;

/** Whether one of the vCenters may offer it. One that does not answer is given the benefit of the doubt: it is asked again for each volume. */
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
