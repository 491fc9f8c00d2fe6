import { names } from '@vdo/config/names';
import { upstreamObjects } from '../upstream/objects.ts';

/** An earlier binding, and its account. */
export interface RetiredBinding {
  readonly name: string;
  /** Absent for a binding of the whole cluster. */
  readonly namespace?: string;
  /** `namespace/account`. */
  readonly account: string;
}

const { cpi, csiController, csiNode, snapshotController } = names;
const [home, system, storage] = [names.namespace, names.systemNamespace, names.upstreamCsiNamespace];
const upstream = upstreamObjects;
const scc = (account: string): string => `${account}:scc`;

/**
 * Roles that the operator of v0.1.0 wrote itself, and those of the upstream manifests, which it took over. They are deleted as soon as the
 * drivers have the roles of the operator's manifests; an operator of v0.1.0 that is installed again creates them again.
 */
export const retiredRoles = {
  cluster: [
    ...[cpi, csiController, csiNode, snapshotController],
    ...[upstream.cpiRole, upstream.csiControllerRole, upstream.csiNodeRole],
    ...[cpi, csiNode, upstream.cpiAccount].map(scc),
  ],
  [home]: [`${cpi}:credentials`, `${csiController}:credentials`, `${csiController}:state`],
  [system]: [`${cpi}:leases`, `${snapshotController}:leases`, `${upstream.cpiAccount}:local`],
  [storage]: [`${csiController}:leases`, `${csiController}:local`, upstream.csiNodeLocalRole],
} as const;

const everywhere = (name: string, namespace: string, account = name): RetiredBinding => ({
  name,
  account: `${namespace}/${account}`,
});
const within = (namespace: string, name: string, account: string): RetiredBinding => ({ namespace, name, account });

/** Their bindings. */
export const retiredBindings: readonly RetiredBinding[] = [
  ...[cpi, csiController, csiNode, snapshotController].map((name) => everywhere(name, home)),
  everywhere(upstream.cpiRole, system, upstream.cpiAccount),
  everywhere(upstream.csiControllerBinding, storage, csiController),
  everywhere(upstream.csiNodeBinding, storage, csiNode),
  within(home, `${cpi}:credentials`, `${home}/${cpi}`),
  within(home, `${csiController}:credentials`, `${home}/${csiController}`),
  within(home, `${csiController}:state`, `${home}/${csiController}`),
  ...[cpi, csiNode].map((account) => within(home, scc(account), `${home}/${account}`)),
  within(system, `${cpi}:leases`, `${home}/${cpi}`),
  within(system, `${snapshotController}:leases`, `${home}/${snapshotController}`),
  within(system, `${upstream.cpiAccount}:local`, `${system}/${upstream.cpiAccount}`),
  within(system, scc(upstream.cpiAccount), `${system}/${upstream.cpiAccount}`),
  within(storage, `${csiController}:leases`, `${home}/${csiController}`),
  within(storage, `${csiController}:local`, `${storage}/${csiController}`),
  within(storage, upstream.csiNodeLocalBinding, `${storage}/${csiNode}`),
  within(storage, scc(csiNode), `${storage}/${csiNode}`),
];
