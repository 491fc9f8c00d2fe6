import { VdoError } from '@vdo/base/vdo-error';
import type { RequiredRole } from '@vdo/checks/facts/required-role';
import { privilegesFor, requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import { type VSphereDrivers, vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { CliContext } from '../../../cli/context.ts';
import type { ClusterFlags } from '../../../cli/options.ts';
import { gatherHere } from '../../../shared/checkup/gather.ts';
import { type Cluster, withCluster } from '../../../shared/cluster/open-cluster.ts';
import { readResource, readResourceFile } from '../../../shared/cluster/read-resource.ts';
import type { TargetFlags } from '../../../shared/vsphere/target-options.ts';
import type { VCenterFlags } from '../../../shared/vsphere/vcenter-options.ts';
import { withVCenter } from '../../../shared/vsphere/with-vcenter.ts';
import type { AccessFacts } from './account-plan.ts';
import { readInventory, targetsOfCluster, targetsOfPaths } from './find-targets.ts';
import { type Grant, wantedGrants } from './wanted-grants.ts';

export type AdminSessionFlags = VCenterFlags &
  ClusterFlags & { readonly file?: string; readonly ssoDomain: string; readonly secret?: string };

/** An administrator's connection, and the Kubernetes cluster with its resource, if they exist. */
export interface AdminSession {
  readonly vcenter: FullVCenter;
  readonly cluster?: Cluster;
  readonly resource?: VSphereDrivers;
  readonly spec?: VCenterSpec;
}

const sameServer = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** The vCenter of the resource that the flags select. */
export const chooseVCenter = ({ spec: { vcenters } }: VSphereDrivers, server: string | undefined): VCenterSpec => {
  const found = server === undefined ? vcenters : vcenters.filter((one) => sameServer(one.server, server));
  const [only] = found;
  if (only && found.length === 1) return only;
  const known = vcenters.map((one) => one.server).join(', ');
  throw new VdoError({
    code: 'InvalidArgument',
    message:
      server === undefined
        ? `the resource has ${vcenters.length} vCenters: ${known}`
        : `the resource has no vCenter ${server}; it has ${known}`,
    remedy: 'Choose one of them with --server.',
  });
};

/** Opens the vCenter; with `from: 'cluster'`, first the cluster and its resource. */
export const withAdminSession = <T>(
  context: CliContext,
  flags: AdminSessionFlags,
  from: 'cluster' | 'flags',
  work: (admin: AdminSession) => Promise<T>,
): Promise<T> => {
  const { ssoDomain } = flags;
  if (from === 'flags' && flags.secret === undefined)
    return withVCenter(context, flags, (vcenter) => work({ vcenter }), { ssoDomain });
  return withCluster(context, flags, async (cluster) => {
    if (from === 'flags') return withVCenter(context, flags, (vcenter) => work({ vcenter, cluster }), { ssoDomain });
    const resource =
      flags.file === undefined ? await readResource(cluster.kube, context.signal) : await readResourceFile(flags.file);
    const spec = chooseVCenter(resource, flags.server);
    return withVCenter(context, flags, (vcenter) => work({ vcenter, cluster, resource, spec }), { spec, ssoDomain });
  });
};

export interface Wanted {
  readonly roles: readonly RequiredRole[];
  readonly grants: readonly Grant[];
  readonly inventory: AccessFacts['inventory'];
}

const rolesOfFlags = ({ csi, fileVolumes, volumeMoves, driver }: TargetFlags): readonly RequiredRole[] =>
  requiredPrivileges({
    csi:
      csi && driver !== 'cpi'
        ? vsphereDriversSpec.shape.csi.parse({ volumeMoves, ...(fileVolumes ? { fileVolumes: {} } : {}) })
        : undefined,
  });

/** Reads all roles, whoever has them. */
const withSharedAccounts = (resource: VSphereDrivers): VSphereDrivers => {
  const { cpi, csi, ...rest } = resource.spec;
  const { credentialsSecret: _cloud, ...cloud } = cpi ?? {};
  const { credentialsSecret: _storage, ...storage } = csi ?? {};
  const spec = { ...rest, ...(cpi ? { cpi: cloud } : {}), ...(csi ? { csi: storage } : {}) };
  return { ...resource, spec: vsphereDriversSpec.parse(spec) };
};

/** The required permissions: for the paths of the flags, or for the objects that the nodes of the cluster use. */
export const gatherWanted = async (
  { clock, signal }: Pick<CliContext, 'clock' | 'signal'>,
  { vcenter, cluster, resource, spec }: AdminSession,
  flags: TargetFlags,
): Promise<Wanted> => {
  const root = await vcenter.health.rootFolder({ signal });
  const inventory = await readInventory(vcenter, signal);
  if (!cluster || !resource || !spec) {
    const roles = rolesOfFlags(flags);
    const targets = await targetsOfPaths(vcenter, flags, { inventory, root, signal });
    return { roles, inventory, grants: wantedGrants(roles, targets, inventory) };
  }
  const roles = flags.driver ? privilegesFor(resource.spec, [flags.driver]) : requiredPrivileges(resource.spec);
  const facts = await gatherHere(
    { clock, signal },
    { cluster, resource: withSharedAccounts(resource), vcenters: [{ spec, vcenter }], groups: ['privileges'] },
  );
  const targets = targetsOfCluster(facts, vcenter.server, inventory, root);
  return { roles, inventory, grants: wantedGrants(roles, targets, inventory) };
};

/** Without a domain, it is an account of vCenter's own domain. */
export const fullName = (account: string, ssoDomain: string): string =>
  /[@\\]/.test(account) ? account : `${account}@${ssoDomain}`;

/** Accounts of other domains are not stored in vCenter, and are assumed to exist. */
export const isLocal = (account: string, ssoDomain: string): boolean =>
  account.toLowerCase().endsWith(`@${ssoDomain.toLowerCase()}`);

export const readAccess = async (
  { vcenter }: Pick<AdminSession, 'vcenter'>,
  input: {
    readonly account: string;
    readonly ssoDomain: string;
    readonly inventory: AccessFacts['inventory'];
    readonly signal: AbortSignal;
  },
): Promise<AccessFacts> => {
  const { account, inventory, signal } = input;
  const { authorization, sso } = vcenter;
  const isThere = async () =>
    (await sso.findUser(account, { signal })) !== undefined ||
    (await sso.findSolutionUser(account, { signal })) !== undefined;
  const userExists = isLocal(account, input.ssoDomain) ? await isThere() : true;
  const roles = await authorization.roles({ signal });
  return { userExists, roles, permissions: await authorization.permissions(undefined, { signal }), inventory };
};
