import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData, findAccount } from '@vdo/config/credentials';
import { names } from '@vdo/config/names';
import { readCredentials } from '@vdo/gather/read-credentials';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { ServerAccount } from '@vdo/releases/render/shared/credentials-secret';
import type { VCenterObservation } from '../observation.ts';

/**
 * The accounts that the drivers get. Those of the user's Secrets, once vCenter accepted them; until then the drivers keep
 * what they have, so that a mistyped password does not take running drivers down.
 */
export const readAccounts = async (
  kube: KubeClient,
  vcenters: VSphereDriversSpec['vcenters'],
  options: {
    readonly namespace: string;
    readonly observed: readonly VCenterObservation[];
    readonly signal: AbortSignal;
  },
): Promise<readonly ServerAccount[]> => {
  const { namespace, observed, signal } = options;
  const doubted = (server: string): boolean =>
    observed.some((one) => one.server === server && (one.reachError !== undefined || one.loginError !== undefined));
  const key = { namespace, name: names.credentialsSecret };
  const inUse = observed.some(({ server }) => doubted(server)) ? await kube.find(secrets, key, { signal }) : undefined;
  const kept = decodeSecretData(inUse?.data);
  return Promise.all(
    vcenters.map(async (vcenter) => {
      const { server } = vcenter;
      const account = doubted(server) ? findAccount(kept, server).account : undefined;
      const { username, password } = account ?? (await readCredentials(kube, vcenter, { namespace, signal }));
      return { server, username, password };
    }),
  );
};
