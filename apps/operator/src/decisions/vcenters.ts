import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers, VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { OwnAccount } from '@vdo/config/driver-accounts';
import { vcenterVersionOf } from '@vdo/config/product-version';
import type { VCenterObservation } from '../observation.ts';

const firstError = (observations: readonly VCenterObservation[]): VdoError | undefined =>
  observations.flatMap(({ reachError, loginError }) => reachError ?? loginError ?? [])[0];

/**
 * Why a vCenter cannot be used. Before the first installation this ends the pass: VDO installs nothing on partial knowledge.
 * Running drivers are kept, repaired and if necessary rolled back, which needs no vCenter.
 */
export const vcenterProblem = (
  observations: readonly VCenterObservation[],
  installed: boolean,
): VdoError | undefined => {
  const error = firstError(observations);
  if (error && !installed) throw error;
  return error;
};

/** Whether a vCenter of the spec cannot be used, so that the vCenters of the running drivers must be known. */
export const mayWait = (spec: VSphereDriversSpec, observations: readonly VCenterObservation[]): boolean =>
  spec.vcenters.length > 1 && firstError(observations) !== undefined;

/**
 * The spec for running drivers: without vCenters that were added and cannot be used yet. They are added once they have
 * accepted their account; until then the drivers are repaired and if necessary rolled back without them. A vCenter that replaces
 * one that the drivers use must be ready first: in that case nothing is left out.
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

/** The observations of the vCenters that the drivers are configured with. */
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

/** The verdict of a vCenter on all its accounts: the account of a single driver is as necessary as that of the vCenter. */
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

/** Like knownVersions, but never throws: a version that was never known is empty. */
export const reportedVersions = (
  resource: VSphereDrivers,
  observations: readonly VCenterObservation[],
): readonly { readonly server: string; readonly version: string }[] =>
  observations.map((observation) => ({
    server: observation.server,
    version: versionOf(resource, observation) ?? '',
  }));

/** The version of each vCenter as it reports it, or during an outage as it last reported it. */
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
