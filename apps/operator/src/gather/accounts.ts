import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import type { ServerAccount } from '@vdo/releases/render/shared/credentials-secret';
import type { VCenterObservation } from '../observation.ts';
import { findKeptAccount } from './kept-account.ts';
import type { ProvenAccounts } from './proven-accounts.ts';

const unproven = (server: string): VdoError =>
  new VdoError({
    code: 'VCenterUnreachable',
    message: `vCenter ${server} has not accepted its account yet, and the drivers have none for it`,
    remedy:
      'Nothing to do if vCenter starts: it is asked again within a minute. See VCenterReachable and CredentialsValid.',
  });

/**
 * The accounts that the drivers get: those with which this process has logged in. Until it has, the drivers keep what they
 * have, so that a mistyped password does not take running drivers down. Throws if there is neither.
 */
export const readAccounts = async (
  kube: KubeClient,
  spec: VSphereDriversSpec,
  options: {
    readonly namespace: string;
    readonly proven: ProvenAccounts;
    readonly observed: readonly VCenterObservation[];
    readonly signal: AbortSignal;
  },
): Promise<readonly ServerAccount[]> => {
  const { proven, observed, ...call } = options;
  return Promise.all(
    spec.vcenters.map(async ({ server }) => {
      const account =
        proven.find(server) ?? (await findKeptAccount(kube, server, { ...call, distribution: spec.distribution }));
      if (account) return { server, username: account.username, password: account.password };
      const { reachError, loginError } = observed.find((one) => one.server === server) ?? {};
      throw reachError ?? loginError ?? unproven(server);
    }),
  );
};
