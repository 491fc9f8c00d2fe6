import { labelKeys, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { serviceAccounts } from '@vdo/kube/types/core';
import type { ObjectMeta } from '@vdo/kube/types/object';
import type { ObjectKey } from '@vdo/kube/types/resource';
import type { DriverKind } from '@vdo/releases/matrix';
import { distributionLabel, managedLabels, versionLabel } from '@vdo/releases/render/shared/labels';
import type { LeftReleases } from '../decisions/upgrade/plan-drivers.ts';

const releaseOf = ({ labels = {} }: ObjectMeta) => {
  const version = labels[versionLabel]?.replaceAll('_', '+');
  if (version === undefined || labels[labelKeys.partOf] !== managedLabels[labelKeys.partOf]) return undefined;
  return {
    version,
    distribution: labels[distributionLabel] === 'upstream' ? ('Upstream' as const) : ('Native' as const),
  };
};

/** The ServiceAccounts of a driver in both distributions. They are read by name: the operator may not list them in other namespaces. */
const accountsOf = (driver: DriverKind, namespace: string): readonly ObjectKey[] =>
  driver === 'cpi'
    ? [
        { namespace, name: names.cpi },
        { namespace: names.systemNamespace, name: names.cloudControllerManager },
      ]
    : [namespace, names.upstreamCsiNamespace].map((place) => ({ namespace: place, name: names.csiController }));

/** When all workloads of a driver are deleted, its ServiceAccounts usually stay, and their labels name the release. */
export const findLeftReleases = async (
  kube: KubeClient,
  drivers: readonly DriverKind[],
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<LeftReleases> => {
  const releases = await Promise.all(
    drivers.map(async (driver) => {
      const keys = accountsOf(driver, namespace);
      const found = await Promise.all(keys.map((key) => kube.find(serviceAccounts, key, { signal })));
      return found.flatMap((account) => (account ? (releaseOf(account.metadata) ?? []) : []))[0];
    }),
  );
  return Object.fromEntries(drivers.flatMap((driver, index) => (releases[index] ? [[driver, releases[index]]] : [])));
};
