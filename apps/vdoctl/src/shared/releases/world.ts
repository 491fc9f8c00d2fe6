import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { vcenterFor } from '@vdo/config/driver-accounts';
import { readCredentials } from '@vdo/gather/read-credentials';
import type { DriverKind, Release } from '@vdo/releases/matrix';
import { pickRelease } from '@vdo/releases/pick-release';
import { knownLayouts } from '@vdo/releases/render/layouts';
import type { ServerAccount } from '@vdo/releases/render/shared/credentials-secret';
import type { CliContext } from '../../cli/context.ts';
import type { ClusterFlags } from '../../cli/options.ts';
import { withCluster } from '../cluster/open-cluster.ts';
import { readResource, readResourceFile } from '../cluster/read-resource.ts';
import { builtInMatrix, type ChosenMatrix, readMatrixInUse } from './matrix-in-use.ts';
import { placeholder } from './steps.ts';

export interface WorldFlags extends ClusterFlags {
  readonly file?: string;
  readonly kubernetes?: string;
  readonly vsphere?: string;
  readonly withCredentials: boolean;
}

export interface World {
  readonly resource: VSphereDrivers;
  readonly kubernetesVersion: string;
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
  readonly accounts: readonly ServerAccount[];
  /** Secrets of the separate accounts of drivers. */
  readonly driverAccounts: Readonly<Record<DriverKind, readonly ServerAccount[]>>;
  readonly chosen: ChosenMatrix;
}

/** Replaces the real values if the Secrets are not rendered: keys are shown, values never. */
const unnamed = ({ server }: VCenterSpec): Promise<ServerAccount> =>
  Promise.resolve({ server, username: 'USER@DOMAIN', password: placeholder });

/** The vCenter accounts, and the separate accounts of drivers. */
const accountsOf = async (
  { spec }: VSphereDrivers,
  read: (vcenter: VCenterSpec) => Promise<ServerAccount>,
): Promise<Pick<World, 'accounts' | 'driverAccounts'>> => {
  const ofDriver = (driver: DriverKind) =>
    Promise.all(spec.vcenters.map((vcenter) => read(vcenterFor(spec, vcenter, driver))));
  const [accounts, cpi, csi] = await Promise.all([
    Promise.all(spec.vcenters.map(read)),
    ofDriver('cpi'),
    ofDriver('csi'),
  ]);
  return { accounts, driverAccounts: { cpi, csi } };
};

const versionsOf = (resource: VSphereDrivers, flags: WorldFlags): World['vcenterVersions'] => {
  const seen = new Map((resource.status?.versions?.vcenters ?? []).map(({ server, version }) => [server, version]));
  return resource.spec.vcenters.map(({ server }) => {
    const version = flags.vsphere ?? seen.get(server);
    if (version !== undefined) return { server, version };
    throw new VdoError({
      code: 'InvalidArgument',
      message: `the version of vCenter ${server} is unknown`,
      remedy: 'Set it with --vsphere, such as 8.0.3.',
    });
  });
};

/** The spec to render and the versions to render for: from a file, or from the cluster of the flags. */
export const readWorld = async (context: CliContext, flags: WorldFlags): Promise<World> => {
  const { signal } = context;
  const { file, kubernetes } = flags;
  if (file !== undefined && kubernetes !== undefined && !flags.withCredentials) {
    const resource = await readResourceFile(file);
    const vcenterVersions = versionsOf(resource, flags);
    return {
      resource,
      kubernetesVersion: kubernetes,
      vcenterVersions,
      ...(await accountsOf(resource, unnamed)),
      chosen: builtInMatrix(),
    };
  }
  return withCluster(context, flags, async ({ kube, namespace }) => {
    const resource = file === undefined ? await readResource(kube, signal) : await readResourceFile(file);
    const read = async (vcenter: VCenterSpec): Promise<ServerAccount> => {
      const { username, password } = await readCredentials(kube, vcenter, { namespace, signal });
      return { server: vcenter.server, username, password };
    };
    const accounts = await accountsOf(resource, flags.withCredentials ? read : unnamed);
    const kubernetesVersion = kubernetes ?? (await kube.serverVersion({ signal }));
    const chosen = await readMatrixInUse(kube, { namespace, signal });
    return { resource, kubernetesVersion, vcenterVersions: versionsOf(resource, flags), ...accounts, chosen };
  });
};

/** The release that the operator would select; undefined if the driver is not in the spec. */
export const pickFor = (world: World, driver: DriverKind): Release | undefined => {
  const { spec } = world.resource;
  if (spec[driver] === undefined) return undefined;
  const wanted = spec.updates.versions?.[driver];
  return pickRelease({
    matrix: world.chosen.matrix,
    driver,
    distribution: spec.distribution,
    kubernetesVersion: world.kubernetesVersion,
    vcenterVersions: world.vcenterVersions,
    layouts: knownLayouts,
    policy: wanted === undefined ? 'Automatic' : 'Pinned',
    ...(wanted === undefined ? {} : { wanted }),
  }).release;
};
