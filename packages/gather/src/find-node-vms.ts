import { sameUuid } from '@vdo/base/uuid';
import type { VdoError } from '@vdo/base/vdo-error';
import type { NodeFacts } from '@vdo/checks/facts';
import { attempt, valueIn } from '@vdo/checks/facts/reading';
import type { Node } from '@vdo/kube/types/core';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import type { NodeQuery, NodeResolution } from '@vdo/vsphere/inventory/node-inventory';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { GatherDeps, HealthVCenter } from './gather-deps.ts';

/** A vCenter with a successful login, with the datacenters to search. */
export interface OpenVCenter {
  readonly vcenter: HealthVCenter;
  readonly datacenters: readonly string[];
}

export interface NodeVms {
  readonly nodes: readonly NodeFacts[];
  /** Server → why it could not be searched. */
  readonly errors: ReadonlyMap<string, VdoError>;
}

const nameOf = (node: Node): string => node.metadata.name ?? '';
const uuidOf = ({ status, spec }: Node): string =>
  status?.nodeInfo?.systemUUID ?? /^vsphere:\/\/(.+)$/.exec(spec.providerID ?? '')?.[1] ?? '';
const folderOf = ({ folder }: VmHealth): string => (folder ? morefKey(folder) : '');
/** Earlier results do not count if other datacenters are configured. */
const memoryKey = ({ vcenters }: GatherDeps, node: Node): string =>
  JSON.stringify([nameOf(node), uuidOf(node), vcenters.map(({ spec }) => spec.datacenters)]);

const queryOf = (node: Node): NodeQuery => {
  const uuid = uuidOf(node);
  const names = (node.status?.addresses ?? []).flatMap(({ type, address }) => (type === 'Hostname' ? [address] : []));
  return { key: nameOf(node), ...(uuid === '' ? {} : { uuid }), names: [...new Set([nameOf(node), ...names])] };
};

/** Drivers do not use a VM that matches only by name, but a user should know that its UUID is different. */
const withoutUuid = ({ uuid: _uuid, ...query }: NodeQuery): NodeQuery => query;

/** The combined answer of several vCenters; undefined if one did not answer and no other has the VM. */
const merge = (answers: readonly NodeResolution[], complete: boolean): NodeResolution | undefined => {
  const found = answers.filter((answer) => answer.state === 'found');
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only)
    return {
      state: 'ambiguous',
      by: 'uuid on several vCenters',
      candidates: found.map(({ vm }) => `${vm.name} on ${vm.server}`),
    };
  const doubtful = answers.find(({ state }) => state === 'ambiguous');
  return doubtful ?? (complete ? answers[0] : undefined);
};

/** Reads the VMs that earlier runs found; a VM that was deleted or replaced is searched again. */
const readKnown = async (
  deps: GatherDeps,
  nodes: readonly Node[],
  open: readonly OpenVCenter[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, VmHealth>> => {
  const known = new Map<string, VmHealth>();
  for (const { vcenter } of open) {
    const entries = nodes.flatMap((node) => {
      const entry = deps.memory?.vms.get(memoryKey(deps, node));
      return entry?.server === vcenter.server ? [{ node, ...entry }] : [];
    });
    if (entries.length === 0) continue;
    const read = valueIn(
      await attempt(
        () =>
          vcenter.health.vms(
            entries.map(({ ref }) => ref),
            { signal },
          ),
        signal,
      ),
    );
    for (const { node, ref, folder } of entries) {
      const vm = read?.get(morefKey(ref));
      // A VM that was moved to another datacenter is in another folder, and is searched again.
      if (vm && sameUuid(vm.uuid, uuidOf(node)) && folderOf(vm) === folder) known.set(nameOf(node), vm);
    }
  }
  return known;
};

/** Finds the VMs of all nodes on all vCenters with a successful login, and reads their health. */
export const findNodeVms = async (
  deps: GatherDeps,
  nodes: readonly Node[],
  open: readonly OpenVCenter[],
  signal: AbortSignal,
): Promise<NodeVms> => {
  const known = await readKnown(deps, nodes, open, signal);
  const queries = nodes.filter((node) => !known.has(nameOf(node))).map(queryOf);
  const errors = new Map<string, VdoError>();
  const searchFor = async (wanted: readonly NodeQuery[]): Promise<ReadonlyMap<string, NodeResolution | undefined>> => {
    const answers = new Map<string, NodeResolution[]>();
    await Promise.all(
      (wanted.length > 0 ? open : []).map(async ({ vcenter, datacenters }) => {
        const reading = await attempt(() => vcenter.nodes.resolve(wanted, { datacenters, signal }), signal);
        if ('error' in reading) errors.set(vcenter.server, reading.error);
        for (const [key, resolution] of valueIn(reading) ?? [])
          answers.set(key, [...(answers.get(key) ?? []), resolution]);
      }),
    );
    const complete = open.length === deps.vcenters.length && errors.size === 0;
    return new Map(wanted.map(({ key }) => [key, merge(answers.get(key) ?? [], complete)] as const));
  };
  const exact = await searchFor(queries);
  const lost = queries.filter(({ key, uuid }) => uuid !== undefined && exact.get(key)?.state === 'not-found');
  const namesakes = await searchFor(lost.map(withoutUuid));
  const resolutions = new Map(
    queries.map(({ key }) => {
      const namesake = namesakes.get(key);
      return [key, namesake?.state === 'found' ? namesake : exact.get(key)] as const;
    }),
  );
  const health = await readHealth(resolutions, open, signal);
  const facts = nodes.map((node): NodeFacts => {
    const vm = known.get(nameOf(node));
    if (vm) return { node, resolution: { state: 'found', vm }, vm };
    const resolution = resolutions.get(nameOf(node));
    const read = resolution?.state === 'found' ? health.get(vmKey(resolution.vm.server, resolution.vm.ref)) : undefined;
    return { node, ...(resolution ? { resolution } : {}), ...(read ? { vm: read } : {}) };
  });
  remember(deps, facts);
  return { nodes: facts, errors };
};

const vmKey = (server: string, ref: MoRef): string => `${server} ${morefKey(ref)}`;

const readHealth = async (
  resolutions: ReadonlyMap<string, NodeResolution | undefined>,
  open: readonly OpenVCenter[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, VmHealth>> => {
  const found = [...resolutions.values()].flatMap((one) => (one?.state === 'found' ? [one.vm] : []));
  const read = await Promise.all(
    open.map(async ({ vcenter }) => {
      const refs = found.filter(({ server }) => server === vcenter.server).map(({ ref }) => ref);
      if (refs.length === 0) return [];
      return [...(valueIn(await attempt(() => vcenter.health.vms(refs, { signal }), signal)) ?? new Map())];
    }),
  );
  return new Map(read.flat().map(([, vm]: readonly [string, VmHealth]) => [vmKey(vm.server, vm.ref), vm]));
};

const remember = (deps: GatherDeps, facts: readonly NodeFacts[]): void => {
  const { memory } = deps;
  if (!memory) return;
  memory.vms.clear();
  for (const { node, vm } of facts)
    if (vm) memory.vms.set(memoryKey(deps, node), { server: vm.server, ref: vm.ref, folder: folderOf(vm) });
};
