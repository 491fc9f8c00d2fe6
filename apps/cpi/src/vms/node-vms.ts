import { createBatch } from '@vdo/base/async/batch';
import { createSingleFlight } from '@vdo/base/async/single-flight';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { uuidOrders } from '@vdo/base/uuid';
import { toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { NodeQuery, VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { Existence, LastSeen } from '@vdo/vsphere/inventory/vm-existence';
import type { VCenter } from '@vdo/vsphere/vcenter';
import { combineResolutions, type VCenterAnswer } from '../decisions/combine-resolutions.ts';
import { parseIp } from '../decisions/ip.ts';
import type { ReferenceState } from '../decisions/node-fate.ts';
import type { KnownVm } from '../decisions/vm-annotation.ts';
import { createSharedAddresses } from './shared-addresses.ts';
import { createTopologyLookup, type Topology, type TopologyLabels } from './topology-lookup.ts';

/** A configured vCenter. `vcenter.server` names it. */
export interface Member {
  readonly vcenter: VCenter;
  readonly datacenters: readonly string[];
}

export interface NodeVmsOptions {
  readonly members: readonly Member[];
  readonly labels: TopologyLabels;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts all calls in progress. */
  readonly signal: AbortSignal;
  /** How long a query waits for others to join its batch; 20 ms by default. */
  readonly batchWindowMs?: number;
  /** 10,000 by default. */
  readonly maxBatch?: number;
}

/** The VMs behind the nodes, across all vCenters: looked up in batches, then known from the watch. */
export interface NodeVms {
  /** The node's VM. Throws VdoError NodeVmNotFound, NodeVmAmbiguous, or the error of a vCenter that did not answer. */
  find(query: NodeQuery): Promise<VmFacts>;
  /** instanceUuid of a vCenter at the last query for VMs. */
  instanceOf(server: string): string | undefined;
  locate(vm: VmFacts): Promise<Topology>;
  /** Whether a VM that is not found is really gone. */
  prove(known: KnownVm): Promise<ReferenceState>;
  readonly sharedAddresses: ReadonlySet<string>;
  /** For a deleted node. */
  forget(node: string): void;
  /** Calls back with a node if its VM changed, or if an address of it became shared with other nodes. */
  onChange(listener: (node: string) => void): () => void;
  /** Keeps the watches of all vCenters until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

const vmKey = (vm: Pick<VmFacts, 'server' | 'ref'>): string => `${vm.server}/${vm.ref.value}`;

export const createNodeVms = (options: NodeVmsOptions): NodeVms => {
  const { members, clock, logger, signal } = options;
  const { batchWindowMs = 20, maxBatch = 10_000 } = options;
  const bound = new Map<string, VmFacts>();
  const nodesByVm = new Map<string, Set<string>>();
  const addresses = createSharedAddresses();
  const listeners = new Set<(node: string) => void>();
  const notify = (node: string) => {
    for (const listener of listeners) listener(node);
  };

  const topologies = new Map(
    members.map(({ vcenter }) => [
      vcenter.server,
      createTopologyLookup({
        reader: vcenter.topology,
        labels: options.labels,
        clock,
        batchWindowMs,
        maxBatch,
        missingTtlMs: 300_000,
        signal,
      }),
    ]),
  );

  const existences = new Map(
    members.map(({ vcenter }) => [
      vcenter.server,
      createBatch<LastSeen, { readonly existence: Existence; readonly instance: string }>({
        clock,
        windowMs: batchWindowMs,
        maxItems: maxBatch,
        send: async (vms) => {
          const found = await vcenter.existence.prove(vms, { signal });
          const { instanceUuid: instance } = await vcenter.about({ signal });
          return found.map((existence) => ({ existence, instance }));
        },
      }),
    ]),
  );

  const instances = new Map<string, string>();
  const silent = new Map<string, string>();
  const tellAnswer = (server: string, error: VdoError | undefined) => {
    const before = silent.get(server);
    if (error && !signal.aborted && before !== error.message) {
      silent.set(server, error.message);
      logger.warn('vCenter does not answer; its nodes are left unchanged', { server, error });
    }
    if (!error && silent.delete(server)) logger.info('vCenter answers again', { server });
  };
  const ask = async (member: Member, queries: readonly NodeQuery[]): Promise<(key: string) => VCenterAnswer> => {
    const { datacenters } = member;
    const { server } = member.vcenter;
    try {
      const found = await member.vcenter.nodes.resolve(queries, { datacenters, signal });
      // Taken from the session that answered, because a vCenter that replaced it meanwhile does not know the reference.
      instances.set(server, await member.vcenter.instanceUuid({ signal }));
      tellAnswer(server, undefined);
      return (key) => ({ server, datacenters, resolution: found.get(key) ?? { state: 'not-found', searched: '' } });
    } catch (error) {
      const failure = toVdoError(error);
      tellAnswer(server, failure);
      return () => ({ server, error: failure });
    }
  };
  const resolve = createBatch<NodeQuery, readonly VCenterAnswer[]>({
    clock,
    windowMs: batchWindowMs,
    maxItems: maxBatch,
    send: async (queries) => {
      const answers = await Promise.all(members.map((member) => ask(member, queries)));
      return queries.map(({ key }) => answers.map((answerFor) => answerFor(key)));
    },
  });

  const unbind = (node: string) => {
    const vm = bound.get(node);
    if (!vm) return;
    bound.delete(node);
    nodesByVm.get(vmKey(vm))?.delete(node);
    topologies.get(vm.server)?.forget(vm);
  };
  const reportAddresses = (node: string, vm: VmFacts) => {
    const texts = vm.nics.flatMap(({ ips }) => ips.flatMap((ip) => parseIp(ip)?.text ?? []));
    for (const other of addresses.report(node, texts)) notify(other);
  };
  const watched = (query: NodeQuery): VmFacts | undefined => {
    const vm = bound.get(query.key);
    const latest = vm && members.find(({ vcenter }) => vcenter.server === vm.server)?.vcenter.nodes.get(vm.ref);
    const stillIt = latest && (query.uuid === undefined || uuidOrders(query.uuid).includes(latest.uuid.toLowerCase()));
    return stillIt ? latest : undefined;
  };

  const lookUp = async (query: NodeQuery): Promise<VmFacts> => {
    unbind(query.key);
    const vm = combineResolutions(query, await resolve(query));
    bound.set(query.key, vm);
    nodesByVm.set(vmKey(vm), (nodesByVm.get(vmKey(vm)) ?? new Set()).add(query.key));
    reportAddresses(query.key, vm);
    return vm;
  };
  const lookingUp = createSingleFlight<VmFacts>();

  return {
    find: async (query) => {
      const known = watched(query);
      if (known) return known;
      // Two controllers ask for the same node at the same time.
      return lookingUp.run(JSON.stringify(query), () => lookUp(query));
    },
    instanceOf: (server) => instances.get(server),
    locate: async (vm) => topologies.get(vm.server)?.locate(vm) ?? {},
    prove: async ({ server, ref, folder, vcenter }) => {
      const ask = existences.get(server);
      if (!ask) return { proof: 'none', because: `vCenter ${server}, which had the VM, is no longer configured` };
      if (vcenter === undefined)
        return {
          proof: 'none',
          because: `an earlier release recorded its location without the instance UUID of vCenter ${server}`,
        };
      const { existence, instance } = await ask({ ref, folder });
      if (instance !== vcenter)
        return {
          proof: 'none',
          because: `${server} is now another vCenter: its instance UUID is ${instance}, but the VM was on ${vcenter}`,
        };
      return existence.state === 'unproven'
        ? { proof: 'none', because: existence.because }
        : { proof: existence.state };
    },
    sharedAddresses: addresses.shared,
    forget: (node) => {
      unbind(node);
      addresses.forget(node);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run: async (runSignal) => {
      const stops = members.map(({ vcenter }) =>
        vcenter.nodes.onChange((vm) => {
          for (const node of nodesByVm.get(vmKey(vm)) ?? []) {
            reportAddresses(node, vm);
            notify(node);
          }
        }),
      );
      try {
        await Promise.all(members.map(({ vcenter }) => vcenter.nodes.run(runSignal)));
      } finally {
        for (const stop of stops) stop();
      }
    },
  };
};
