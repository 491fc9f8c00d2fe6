import { VdoError } from '@vdo/base/vdo-error';
import type { Distribution } from '../matrix.ts';
import { names } from './names.ts';

/** Ids that the drivers made and keep, each in its namespace: vCenter knows the volumes of this cluster by them. */
export interface KeptClusterIds {
  /** In ConfigMap vsphere-csi-cluster-id of the operator's namespace. */
  readonly native?: string;
  /** In the same of vmware-system-csi. */
  readonly upstream?: string;
}

const refuse = (wanted: string, kept: string): VdoError =>
  new VdoError({
    code: 'ConfigInvalid',
    message: `spec.csi.clusterId is ${wanted}, but the volumes of this cluster are registered under ${kept}, which the driver made and keeps in ConfigMap ${names.csiClusterId}`,
    remedy: `Set spec.csi.clusterId to ${kept}, or remove it.`,
  });

/**
 * The id to write into the configuration of a driver; undefined if it knows its own. After a change of distribution the
 * id of the former driver goes on. The upstream driver refuses to start if it finds an id in both places.
 */
export const clusterIdFor = (
  distribution: Distribution,
  options: { readonly wanted?: string | undefined; readonly kept: KeptClusterIds },
): string | undefined => {
  const { wanted, kept } = options;
  const [own, former] = distribution === 'Native' ? [kept.native, kept.upstream] : [kept.upstream, kept.native];
  const known = own ?? former;
  if (wanted !== undefined && known !== undefined && wanted !== known) throw refuse(wanted, known);
  return own === undefined ? (wanted ?? former) : undefined;
};
