import type { CheckGroup } from '@vdo/checks/check';
import type { ClusterFacts, NodeFacts } from '@vdo/checks/facts';
import type { KubeFacts } from '@vdo/checks/facts/kube-facts';
import { attempt, valueIn } from '@vdo/checks/facts/reading';
import type { PlaceFacts, VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import { privilegesFor } from '@vdo/checks/privileges/required-privileges';
import { placesOf, vmsOn } from '@vdo/checks/storage/segments';
import { categoriesOf } from '@vdo/checks/topology/categories';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import { names } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { connect, isBroken, readSessions } from './connect.ts';
import { judgeAccount, tryAccount } from './driver-accounts.ts';
import { findElsewhere } from './find-elsewhere.ts';
import { findNodeVms } from './find-node-vms.ts';
import type { GatherDeps, HealthVCenter } from './gather-deps.ts';
import { type AccountReader, readAccounts } from './read-accounts.ts';
import { readPlaces, readSlots } from './read-places.ts';
import { readPrivileges } from './read-privileges.ts';
import { readFileClusters, readPolicies, readPreferred, readVolumes } from './read-storage.ts';
import { readAncestry, readTopology } from './read-topology.ts';

interface Context {
  readonly kube: KubeFacts;
  readonly nodes: readonly Node[];
  readonly needs: (...groups: readonly CheckGroup[]) => boolean;
  readonly withoutVolumes: boolean;
}

/** Of one vCenter, once the node VMs are known. */
interface Surroundings extends Omit<Context, 'nodes'> {
  readonly client: HealthVCenter;
  readonly nodes: readonly NodeFacts[];
}

type Connected = VCenterFacts & { readonly client?: HealthVCenter };

const readCertificate = async (deps: GatherDeps, { server, port }: VCenterSpec, signal: AbortSignal) => {
  const { certificate } = deps.probes;
  return certificate ? { certificate: await attempt(() => certificate(server, port, { signal }), signal) } : {};
};

/** The connection to each vCenter, all at the same time. */
const connectAll = async (
  deps: GatherDeps,
  { needs, accountOf }: Context & { readonly accountOf: AccountReader },
  signal: AbortSignal,
): Promise<readonly Connected[]> => {
  return Promise.all(
    deps.vcenters.map(async ({ spec, vcenter }): Promise<Connected> => {
      const account = accountOf(spec);
      const [connection, certificate] = await Promise.all([
        connect(deps, vcenter, signal),
        needs('vcenter') ? readCertificate(deps, spec, signal) : {},
      ]);
      const server = isBroken(vcenter) ? spec.server : vcenter.server;
      const facts = { server, spec, ...account, ...connection, ...certificate };
      if (connection.login !== true || isBroken(vcenter)) return facts;
      const username = account.secret.lookup?.account?.username ?? '';
      const sessions = needs('vcenter') ? { sessions: await readSessions(deps, vcenter, { username, signal }) } : {};
      return { ...facts, ...sessions, unreadable: vcenter.health.unreadable(), client: vcenter };
    }),
  );
};

/** The node VMs and their data, on all vCenters with a successful login. */
const findVms = async (deps: GatherDeps, connected: readonly Connected[], context: Context, signal: AbortSignal) => {
  const open = connected.flatMap(({ client, spec }) =>
    client ? [{ vcenter: client, datacenters: spec.datacenters }] : [],
  );
  const { nodes: found, errors } = await findNodeVms(deps, context.nodes, open, signal);
  if (!context.needs('node')) return { nodes: found, errors };
  const nodes = await findElsewhere(found, open, signal);
  const slots = new Map(
    (
      await Promise.all(
        open.map(async ({ vcenter }) => [
          ...(await readSlots(deps, vcenter, vmsOn(vcenter.server, { nodes }), signal)),
        ]),
      )
    ).flat(),
  );
  const withSlots = nodes.map((facts): NodeFacts => {
    const of = facts.vm && slots.get(`${facts.vm.server} ${morefKey(facts.vm.ref)}`);
    return of ? { ...facts, slots: of } : facts;
  });
  return { nodes: withSlots, errors };
};

const noPlaces: PlaceFacts = { hosts: new Map(), support: new Map(), datastores: [] };

/** The inventory around the node VMs, as far as the groups need it. */
const searchElsewhere = async (
  deps: GatherDeps,
  facts: VCenterFacts,
  { client, nodes, kube, needs, withoutVolumes }: Surroundings,
  signal: AbortSignal,
): Promise<VCenterFacts> => {
  const { spec } = deps;
  const vms = vmsOn(facts.server, { nodes });
  const storage = spec.csi !== undefined && needs('storage');
  const datastores = storage || (spec.csi !== undefined && needs('privileges'));
  const hasTopology = categoriesOf(spec).length > 0;
  const climbs = needs('privileges') || (hasTopology && (needs('topology') || storage));
  const [places, ancestry] = await Promise.all([
    needs('node') || datastores ? readPlaces(deps, client, vms, { datastores, signal }) : undefined,
    climbs ? readAncestry(client, vms, signal) : undefined,
  ]);
  const topology = hasTopology && ancestry ? await readTopology(client, ancestry, { spec, signal }) : undefined;
  const ancestors = valueIn(ancestry);
  const around: VCenterFacts = {
    ...facts,
    ...(places ? { places } : {}),
    ...(ancestors ? { ancestors } : {}),
    ...(topology ? { topology } : {}),
  };
  const segments = placesOf(around, { spec, nodes }) ?? [];
  const shared = [...new Map(segments.flatMap((one) => one.shared).map((one) => [morefKey(one.ref), one])).values()];
  const privileges = async () => {
    if (!needs('privileges') || !ancestry) return {};
    if ('error' in ancestry) return { privileges: ancestry };
    if (places && 'error' in places) return { privileges: places };
    const roles = privilegesFor(spec, 'operator');
    const fileClusters = spec.csi?.fileVolumes?.clusters ?? [];
    const input = { roles, vms, places: valueIn(places) ?? noPlaces, shared, ancestors: ancestry.value, fileClusters };
    return { privileges: await readPrivileges(client, input, signal) };
  };
  const policies = async () => {
    const classes = (valueIn(kube.storageClasses) ?? []).filter((one) => one.provisioner === names.csiDriver);
    return storage ? { policies: await readPolicies(client, { classes, datastores: shared }, signal) } : {};
  };
  const volumes = async () => {
    const clusterId = spec.csi?.clusterId ?? valueIn(kube.clusterId);
    if (!storage || withoutVolumes || clusterId === undefined) return {};
    const known = valueIn(kube.persistentVolumes);
    const reported = deps.onVolume ? { onVolume: deps.onVolume } : {};
    return { volumes: await readVolumes(client, { clusterId, known, kube: deps.kube, ...reported }, signal) };
  };
  const preferred = async () => {
    const known = valueIn(places)?.datastores;
    return storage && hasTopology && known ? { preferred: await readPreferred(client, known, signal) } : {};
  };
  const files = async () => {
    if (!storage || !spec.csi?.fileVolumes || !valueIn(places)?.datastores) return {};
    return { fileClusters: await readFileClusters(client, shared, signal) };
  };
  const found = await Promise.all([privileges(), policies(), volumes(), preferred(), files()]);
  return Object.assign({ ...around }, ...found);
};

/** All queries to vCenters. If one vCenter fails, only its own facts are unread. */
export const gatherVCenters = async (
  deps: GatherDeps,
  context: Context,
  signal: AbortSignal,
): Promise<Pick<ClusterFacts, 'vcenters' | 'accounts' | 'nodes'>> => {
  const accountOf = await readAccounts(deps, signal);
  const connected = await connectAll(deps, { ...context, accountOf }, signal);
  const tried = await Promise.all((deps.accounts ?? []).map((one) => tryAccount(deps, one, { accountOf, signal })));
  if (!context.needs('privileges', 'node', 'topology', 'storage'))
    return {
      vcenters: connected.map(({ client: _, ...facts }) => facts),
      ...(tried.length > 0 ? { accounts: tried.map(({ facts }) => facts) } : {}),
      nodes: context.nodes.map((node) => ({ node })),
    };
  const { nodes, errors } = await findVms(deps, connected, context, signal);
  const vcenters = await Promise.all(
    connected.map(async ({ client, ...facts }): Promise<VCenterFacts> => {
      const searchError = errors.get(facts.server);
      const known = searchError ? { ...facts, searchError } : facts;
      if (!client) return known;
      const around = await searchElsewhere(deps, known, { ...context, client, nodes }, signal);
      // Includes what was just read.
      return { ...around, unreadable: client.health.unreadable() };
    }),
  );
  if (tried.length === 0) return { vcenters, nodes };
  const accounts = context.needs('privileges')
    ? await Promise.all(tried.map((one) => judgeAccount(deps, one, { vcenters, nodes }, signal)))
    : tried.map(({ facts }) => facts);
  return { vcenters, accounts, nodes };
};
