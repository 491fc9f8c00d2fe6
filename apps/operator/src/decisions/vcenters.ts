import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers, VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { OwnAccount } from '@vdo/config/driver-accounts';
import { vcenterVersionOf } from '@vdo/config/product-version';
import type { VCenterObservation } from '../observation.ts';

const firstError = (observations: readonly VCenterObservation[]): VdoError | undefined =>
  observations.flatMap(({ reachError, loginError }) => reachError ?? loginError ?? [])[0];

/**
 * What keeps a vCenter from being used. Before the first installation that is the end of the pass: a half-known world is
 * left alone. Drivers that run are kept as they are, repaired and if need be rolled back, which needs no vCenter.
 */
export const vcenterProblem = (
  observations: readonly VCenterObservation[],
  installed: boolean,
): VdoError | undefined => {
  const error = firstError(observations);
  if (error && !installed) throw error;
  return error;
};

/** Whether a vCenter of the spec cannot be used, so that it matters which ones the drivers have already. */
export const mayWait = (spec: VSphereDriversSpec, observations: readonly VCenterObservation[]): boolean =>
  spec.vcenters.length > 1 && firstError(observations) !== undefined;

/**
 * The spec that running drivers are given: without vCenters that were added to it and cannot be used yet. They join when they have
 * accepted their account; until then what runs is repaired and if need be rolled back as if they were not there. What takes the place of
 * a vCenter that the drivers have must be ready first: then nothing is left out.
 */
export const withoutUnready = (
  spec: VSphereDriversSpec,
  observations: readonly VCenterObservation[],
  inUse: ReadonlySet<string>,
): VSphereDriversSpec => {
  const isReplaced = [...inUse].some((server) => !spec.vcenters.some((one) => one.server === server));
  if (inUse.size === 0 || isReplaced) return spec;
  const isUnready = (server: string, index: number): boolean =>
    !inUse.has(server) && firstError(observations.slice(index, index + 1)) !== undefined;
  return { ...spec, vcenters: spec.vcenters.filter(({ server }, index) => !isUnready(server, index)) };
};

/** What was observed of those vCenters of the spec that drivers are built with. */
export const observedOf = (
  { spec, buildable }: { readonly spec: VSphereDriversSpec; readonly buildable: VSphereDriversSpec },
  observations: readonly VCenterObservation[],
): readonly VCenterObservation[] =>
  observations.filter((_, index) => buildable.vcenters.some((one) => one === spec.vcenters[index]));

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
export const reportedVersions = (
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
