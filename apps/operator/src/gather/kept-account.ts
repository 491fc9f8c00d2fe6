import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import { accountOf, accountPlaces } from '@vdo/gather/account-places';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';

/** The account that a driver of either distribution has for a server; the distribution in the spec first. */
export const findKeptAccount = async (
  kube: KubeClient,
  { server, driver, isOwn }: { readonly server: string; readonly driver: DriverKind; readonly isOwn: boolean },
  options: {
    readonly namespace: string;
    readonly distribution: VSphereDriversSpec['distribution'];
    readonly signal: AbortSignal;
  },
): Promise<Account | undefined> => {
  const { namespace, distribution, signal } = options;
  const { Native, Upstream } = accountPlaces(namespace, isOwn)[driver];
  for (const place of distribution === 'Native' ? [...Native, ...Upstream] : [...Upstream, ...Native]) {
    const account = accountOf(place, await kube.find(secrets, place.key, { signal }), server);
    if (account) return { username: account.username, password: account.password };
  }
  return undefined;
};
