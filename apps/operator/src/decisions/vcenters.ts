import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { OwnAccount } from '@vdo/config/driver-accounts';
import { vcenterVersionOf } from '@vdo/config/product-version';
import type { ComponentObservation, VCenterObservation } from '../observation.ts';

const firstError = (observations: readonly VCenterObservation[]): VdoError | undefined =>
  observations.flatMap(({ reachError, loginError }) => reachError ?? loginError ?? [])[0];

/**
 * What keeps a vCenter from being used. Before the first installation that is the end of the pass: a half-known world is
 * left alone. Drivers that run are kept as they are, repaired and if need be rolled back, which needs no vCenter.
 */
export const vcenterProblem = (
  observations: readonly VCenterObservation[],
  running: readonly ComponentObservation[],
): VdoError | undefined => {
  const error = firstError(observations);
  if (error && !running.some(({ ours }) => ours)) throw error;
  return error;
};

const ofDriver = ({ drivers, vcenter }: OwnAccount, { code, message, remedy, retry, details }: VdoError): VdoError =>
  new VdoError({
    code,
    message: `account of ${drivers.map((driver) => driver.toUpperCase()).join(' and ')}, Secret ${vcenter.credentialsSecret}: ${message}`,
    remedy,
    retry,
    details,
  });

/** What a vCenter says of all accounts together: an account that a driver has for itself is as needed as that of the vCenter. */
export const withOwnAccounts = (
  vcenters: readonly VCenterObservation[],
  accounts: readonly OwnAccount[],
  observed: readonly VCenterObservation[],
): readonly VCenterObservation[] =>
  vcenters.map((vcenter) => {
    if (vcenter.reachError ?? vcenter.loginError) return vcenter;
    const refused = accounts.flatMap((account, index) => {
      const { server, loginError } = observed[index] ?? {};
      return server === vcenter.server && loginError ? [ofDriver(account, loginError)] : [];
    });
    return refused[0] ? { ...vcenter, loginError: refused[0] } : vcenter;
  });

const versionOf = (resource: VSphereDrivers, { server, about }: VCenterObservation): string | undefined =>
  about ? vcenterVersionOf(about) : resource.status?.versions?.vcenters?.find((one) => one.server === server)?.version;

/** The same for what may go without: empty if it was never told. */
export const toldVersions = (
  resource: VSphereDrivers,
  observations: readonly VCenterObservation[],
): readonly { readonly server: string; readonly version: string }[] =>
  observations.map((observation) => ({
    server: observation.server,
    version: versionOf(resource, observation) ?? '',
  }));

/** The version of each vCenter: as it says, or during an outage as it last said. */
export const knownVersions = (
  resource: VSphereDrivers,
  observations: readonly VCenterObservation[],
): readonly { readonly server: string; readonly version: string }[] =>
  observations.map((observation) => {
    const { server, reachError } = observation;
    const version = versionOf(resource, observation);
    if (version === undefined && reachError) throw reachError;
    return { server, version: version ?? '' };
  });
