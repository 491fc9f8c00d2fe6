import { isVdoError } from '@vdo/base/vdo-error';
import type { ClusterFacts } from '@vdo/checks/facts';
import { attempt, valueIn } from '@vdo/checks/facts/reading';
import type { PlaceFacts, VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import { privilegesFor, readPrivileges as readingPrivileges } from '@vdo/checks/privileges/required-privileges';
import { placesOf, vmsOn } from '@vdo/checks/storage/segments';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { connect, isBroken } from './connect.ts';
import type { GatherDeps, HealthVCenter } from './gather-deps.ts';
import type { AccountReader } from './read-accounts.ts';
import { readPrivileges } from './read-privileges.ts';
import { readAncestry } from './read-topology.ts';

type Given = NonNullable<GatherDeps['accounts']>[number];

export interface TriedAccount extends Pick<Given, 'drivers'> {
  readonly facts: VCenterFacts;
  /** Absent if there was no login. */
  readonly client?: HealthVCenter;
}

/** Logs in with the separate account of a driver. */
export const tryAccount = async (
  deps: GatherDeps,
  { spec, drivers, vcenter }: Given,
  { accountOf, signal }: { readonly accountOf: AccountReader; readonly signal: AbortSignal },
): Promise<TriedAccount> => {
  const { about, reachError, login } = await connect(deps, vcenter, signal);
  const server = isBroken(vcenter) ? spec.server : vcenter.server;
  const facts: VCenterFacts = {
    server,
    spec,
    ...accountOf(spec, drivers),
    ...(about ? { about } : {}),
    ...(reachError ? { reachError } : {}),
    ...(login ? { login } : {}),
  };
  return { facts, drivers, ...(login === true && !isBroken(vcenter) ? { client: vcenter } : {}) };
};

const noPlaces: PlaceFacts = { hosts: new Map(), support: new Map(), datastores: [] };

/** The node VMs as the account sees them, without the location of VMs that it cannot read. */
const seenBy = async (client: HealthVCenter, vms: readonly VmHealth[], signal: AbortSignal) => {
  const hide = (vm: VmHealth): VmHealth => ({ ...vm, resourcePool: undefined });
  const refs = vms.map(({ ref }) => ref);
  try {
    const missing = await client.authorization.missingPrivileges(refs, [...readingPrivileges], { signal });
    return vms.map((vm) => (missing.has(morefKey(vm.ref)) ? hide(vm) : vm));
  } catch (error) {
    // Even this query needs System.Read, on all of them.
    if (isVdoError(error, 'VCenterPermissionDenied')) return vms.map(hide);
    throw error;
  }
};

/** What such an account may do with the objects that the account of the vCenter has found. */
export const judgeAccount = async (
  { spec }: GatherDeps,
  { facts, drivers, client }: TriedAccount,
  world: Pick<ClusterFacts, 'vcenters' | 'nodes'>,
  signal: AbortSignal,
): Promise<VCenterFacts> => {
  const known = world.vcenters.find(({ server }) => server === facts.server);
  if (!client || !known) return facts;
  const vms = vmsOn(facts.server, world);
  const segments = placesOf(known, { spec, nodes: world.nodes }) ?? [];
  const shared = [...new Map(segments.flatMap((one) => one.shared).map((one) => [morefKey(one.ref), one])).values()];
  const [ancestry, seen] = await Promise.all([
    readAncestry(client, vms, signal),
    attempt(() => seenBy(client, vms, signal), signal),
  ]);
  if ('error' in ancestry) return { ...facts, privileges: ancestry };
  if ('error' in seen) return { ...facts, privileges: seen };
  const places = valueIn(known.places) ?? noPlaces;
  const roles = privilegesFor(spec, drivers);
  const privileges = await readPrivileges(
    client,
    {
      roles,
      vms: seen.value,
      places,
      shared,
      ancestors: ancestry.value,
      fileClusters: spec.csi?.fileVolumes?.clusters ?? [],
    },
    signal,
  );
  // The location of objects is the same for every account: where volumes can be placed decides which datastores an account must reach.
  const { places: lies, topology } = known;
  return { ...facts, ...(lies ? { places: lies } : {}), ...(topology ? { topology } : {}), privileges };
};
