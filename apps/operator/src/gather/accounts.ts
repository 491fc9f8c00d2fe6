import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { hasOwnAccount, vcenterFor } from '@vdo/config/driver-accounts';
import type { KubeClient } from '@vdo/kube/client';
import type { DriverKind } from '@vdo/releases/matrix';
import type { RenderInput } from '@vdo/releases/render/render-drivers';
import type { ServerAccount } from '@vdo/releases/render/shared/credentials-secret';
import type { VCenterObservation } from '../observation.ts';
import { findKeptAccount } from './kept-account.ts';
import type { ProvenAccounts } from './proven-accounts.ts';

const unproven = (server: string): VdoError =>
  new VdoError({
    code: 'VCenterUnreachable',
    message: `vCenter ${server} has not accepted its account yet, and the drivers have no account for it`,
    remedy:
      'If vCenter is starting, no action is needed: VDO tries again within a minute. See the conditions VCenterReachable and CredentialsValid.',
  });

export type RenderedAccounts = Pick<RenderInput, 'accounts'> & Required<Pick<RenderInput, 'driverAccounts'>>;

/**
 * The accounts for the drivers: those with which this process has logged in. Until it has, the drivers keep what they
 * have, so that a mistyped password does not break running drivers. Throws if there is neither.
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
): Promise<RenderedAccounts> => {
  const { proven, observed, ...call } = options;
  const kept = { ...call, distribution: spec.distribution };
  const hasOwn = (driver: DriverKind): boolean => hasOwnAccount(spec, driver);
  const read = (driver: DriverKind, vcenters: VSphereDriversSpec['vcenters']): Promise<readonly ServerAccount[]> =>
    Promise.all(
      vcenters.map(async (vcenter) => {
        const { server } = vcenter;
        const account =
          proven.find(vcenter) ?? (await findKeptAccount(kube, { server, driver, isOwn: hasOwn(driver) }, kept));
        if (account) return { server, username: account.username, password: account.password };
        const { reachError, loginError } = observed.find((one) => one.server === server) ?? {};
        throw reachError ?? loginError ?? unproven(server);
      }),
    );
  const own = (['cpi', 'csi'] as const).filter(hasOwn);
  const entries = await Promise.all(
    own.map(async (driver) => {
      const vcenters = spec.vcenters.map((vcenter) => vcenterFor(spec, vcenter, driver));
      return [driver, await read(driver, vcenters)] as const;
    }),
  );
  const sharedBy = hasOwn('csi') ? 'cpi' : 'csi';
  return { accounts: await read(sharedBy, spec.vcenters), driverAccounts: Object.fromEntries(entries) };
};
