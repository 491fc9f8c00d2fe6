import { labelKeys, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { serviceAccounts } from '@vdo/kube/types/core';
import type { ObjectMeta } from '@vdo/kube/types/object';
import type { DriverKind } from '@vdo/releases/matrix';
import { distributionLabel, driverLabel, managedLabels, versionLabel } from '@vdo/releases/render/shared/labels';
import type { LeftReleases } from '../decisions/upgrade/plan-drivers.ts';

const releaseOf = ({ labels = {} }: ObjectMeta) => {
  const version = labels[versionLabel]?.replaceAll('_', '+');
  if (version === undefined || labels[labelKeys.partOf] !== managedLabels[labelKeys.partOf]) return undefined;
  return {
    version,
    distribution: labels[distributionLabel] === 'upstream' ? ('Upstream' as const) : ('Native' as const),
  };
};

/** Who deletes all workloads of a driver seldom deletes its accounts, and they say of which release they are. */
export const findLeftReleases = async (
  kube: KubeClient,
  drivers: readonly DriverKind[],
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<LeftReleases> => {
  const places = new Set([namespace, names.upstreamCsiNamespace, names.systemNamespace]);
  const options = { labelSelector: driverLabel, signal };
  const lists = await Promise.all(
    [...places].map((place) => kube.list(serviceAccounts, { namespace: place, ...options })),
  );
  const found = lists.flatMap(({ items }) => items);
  return Object.fromEntries(
    drivers.flatMap((driver) => {
      const own = found.filter(({ metadata }) => metadata.labels?.[driverLabel] === driver);
      const [release] = own.flatMap(({ metadata }) => releaseOf(metadata) ?? []);
      return release ? [[driver, release]] : [];
    }),
  );
};
