import { VdoError } from '@vdo/base/vdo-error';
import type { IdByDistribution, KeptClusterIds } from '@vdo/config/kept-cluster-ids';
import { names } from '@vdo/config/names';
import type { Distribution } from '../../matrix.ts';

const refuse = (wanted: string, kept: string, isMade: boolean): VdoError => {
  const where = isMade
    ? `which the driver created and stores in ConfigMap ${names.csiClusterId}`
    : 'which is set in the configuration of the driver';
  return new VdoError({
    code: 'ConfigInvalid',
    message: `spec.csi.clusterId is ${wanted}, but the volumes of this cluster are registered under ${kept}, ${where}`,
    remedy: `Set spec.csi.clusterId to ${kept}, or remove it.`,
  });
};

const ownFirst = (distribution: Distribution, { native, upstream }: IdByDistribution) =>
  distribution === 'Native' ? ([native, upstream] as const) : ([upstream, native] as const);

/**
 * The ID to write into the configuration of a driver; undefined if the driver knows its own. After a change of distribution, and
 * when a driver is adopted, the ID of the adopted driver stays in use. The upstream driver refuses to start if it finds an ID
 * in both places.
 */
export const clusterIdFor = (
  distribution: Distribution,
  options: { readonly wanted?: string | undefined; readonly kept: KeptClusterIds },
): string | undefined => {
  const { wanted, kept } = options;
  const [own, others] = ownFirst(distribution, kept);
  const [given, othersGiven] = ownFirst(distribution, kept.given ?? {});
  const made = own ?? others;
  const known = made ?? given ?? othersGiven;
  if (wanted !== undefined && known !== undefined && wanted !== known) throw refuse(wanted, known, made !== undefined);
  // The native driver derives the same ID itself, and stores it; the upstream driver would generate a random one.
  const fresh = distribution === 'Upstream' ? kept.ofCluster : undefined;
  return own === undefined ? (known ?? wanted ?? fresh) : undefined;
};
